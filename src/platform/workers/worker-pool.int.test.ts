import { Worker } from 'node:worker_threads'

import { afterEach, describe, expect, test } from 'vitest'

import { JobFailed } from './job.ts'
import { createWorkerPool, type WorkerPool } from './worker-pool.ts'

/**
 * Echoes its input, except: `prepare` is slow to start, `spin` never answers, `hold` waits until the cell is set,
 * `throw` and `exit` fail.
 */
const program = `
  const { parentPort, workerData, threadId } = require('node:worker_threads')
  parentPort.on('message', ({ job }) => {
    if (job === 'prepare') Atomics.wait(workerData, 0, 0, 3000)
    parentPort.postMessage({ prepared: true })
    if (job === 'spin') for (;;);
    if (job.startsWith('hold')) {
      parentPort.postMessage({ began: job })
      Atomics.wait(workerData, 0, 0)
    }
    if (job === 'throw') throw new Error('a bug')
    if (job === 'exit') process.exit(3)
    if (job === 'refuse') return parentPort.postMessage({ failed: 'cannot' })
    parentPort.postMessage({ done: { job, threadId } })
  })
  parentPort.postMessage({ ready: true })
`

interface Done {
  readonly job: string
  readonly threadId: number
}

const pools: WorkerPool<string, Done>[] = []
afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()))
})

function setUp(
  settings: { maxWorkers?: number; deadlineMs?: number; idleMs?: number; maxItems?: number } = {},
) {
  const { maxWorkers = 1, deadlineMs = 120_000, idleMs = 120_000, maxItems = 100 } = settings
  const gate = new Int32Array(new SharedArrayBuffer(4))
  const began: string[] = []
  const workers: Worker[] = []
  const limits = { maxItems, maxSize: 1000 }
  const pool = createWorkerPool<string, Done>({
    start() {
      const worker = new Worker(program, { eval: true, workerData: gate })
      workers.push(worker)
      return worker
    },
    messageFor: (_, job) => ({ job: job === 'unsendable' ? () => {} : job }),
    onMessage: (_, message) => began.push((message as { began: string }).began),
    maxWorkers,
    deadlineMs,
    idleMs,
    queue: { perCaller: limits, total: { maxItems: 1000, maxSize: 100_000 } },
  })
  pools.push(pool)
  const run = (job: string, caller = 'a', signal?: AbortSignal) =>
    pool.run(job, { caller, size: 1, ...(signal && { signal }) })
  const open = (): void => {
    Atomics.store(gate, 0, 1)
    Atomics.notify(gate, 0)
  }
  return { pool, run, open, began, workers }
}

const why = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof JobFailed ? error.why : error),
  )

describe('a job', () => {
  test('is answered by a worker that starts with the first job', async () => {
    const { run, workers } = setUp()
    expect(workers).toHaveLength(0)
    expect(await run('one')).toMatchObject({ job: 'one' })
    expect(await run('two')).toMatchObject({ job: 'two' })
    expect(workers).toHaveLength(1)
  })

  test('that exceeds its deadline is terminated, and another worker answers the next one', async () => {
    const { run, workers } = setUp({ deadlineMs: 2000 })
    const spinning = why(run('spin'))
    const next = run('next', 'b')
    expect(await spinning).toBe('late')
    expect(await next).toMatchObject({ job: 'next' })
    expect(workers).toHaveLength(2)
  })

  test('has its full deadline after its preparation', async () => {
    const { run } = setUp({ deadlineMs: 2000 })
    expect(await run('prepare')).toMatchObject({ job: 'prepare' })
  })

  test('that cannot be sent ends its worker, which may have missed other messages', async () => {
    const { run, workers } = setUp()
    expect(await run('one')).toMatchObject({ job: 'one' })
    expect(await why(run('unsendable'))).toBe('failed')
    expect(await run('two')).toMatchObject({ job: 'two' })
    expect(workers).toHaveLength(2)
  })

  test.each([
    ['throw', 'crashed'],
    ['exit', 'crashed'],
    ['refuse', 'failed'],
  ])('that fails (%s) does not affect others', async (job, expected) => {
    const { run } = setUp()
    const [failed, other] = [why(run(job)), run('other')]
    expect(await failed).toBe(expected)
    expect(await other).toMatchObject({ job: 'other' })
  })

  test('that is cancelled frees its place, whether waiting or running', async () => {
    const { run, began } = setUp()
    const [running, waiting] = [new AbortController(), new AbortController()]
    const held = why(run('hold', 'a', running.signal))
    const queued = why(run('queued', 'a', waiting.signal))
    await expect.poll(() => began).toEqual(['hold'])
    waiting.abort()
    expect(await queued).toBe('cancelled')
    running.abort()
    expect(await held).toBe('cancelled')
    expect(await run('after')).toMatchObject({ job: 'after' })
    expect(await why(run('late', 'a', running.signal))).toBe('cancelled')
  })
})

describe('callers', () => {
  test("leave a worker to others: a caller's second job waits while another caller is served", async () => {
    const { run, open, began } = setUp({ maxWorkers: 2 })
    const answered: string[] = []
    const noted = async (promise: Promise<Done>): Promise<void> => {
      answered.push((await promise).job)
    }
    const greedy = [run('hold 1', 'greedy'), run('hold 2', 'greedy'), run('hold 3', 'greedy')].map(noted)
    await expect.poll(() => began).toEqual(['hold 1'])
    await noted(run('small', 'other'))
    expect(answered).toEqual(['small'])
    expect(began).toEqual(['hold 1'])
    open()
    await Promise.all(greedy)
    expect(answered).toEqual(['small', 'hold 1', 'hold 2', 'hold 3'])
  })

  test('take turns at one worker', async () => {
    const { run, open, began } = setUp()
    const order: string[] = []
    const noted = async (job: string, caller: string): Promise<void> => {
      order.push((await run(job, caller)).job)
    }
    const all = [noted('hold', 'greedy'), noted('g1', 'greedy'), noted('g2', 'greedy'), noted('o1', 'other')]
    await expect.poll(() => began).toEqual(['hold'])
    open()
    await Promise.all(all)
    expect(order.indexOf('o1')).toBeLessThan(order.indexOf('g2'))
  })

  test('with too many waiting jobs are rejected immediately, and others are not', async () => {
    const { run, open, began } = setUp({ maxItems: 2 })
    const held = run('hold', 'greedy')
    await expect.poll(() => began).toEqual(['hold'])
    const waiting = [run('1', 'greedy'), run('2', 'greedy')]
    expect(await why(run('3', 'greedy'))).toBe('busy')
    const other = run('mine', 'other')
    open()
    expect(await other).toMatchObject({ job: 'mine' })
    await Promise.all([held, ...waiting])
    expect(await run('3', 'greedy')).toMatchObject({ job: '3' })
  })
})

test('an idle worker ends, and the next job starts one', async () => {
  const { run, workers } = setUp({ idleMs: 1 })
  await run('one')
  const [first] = workers
  await expect.poll(() => first!.threadId).toBe(-1)
  expect(await run('two')).toMatchObject({ job: 'two' })
  expect(workers).toHaveLength(2)
})

test('closing ends running and waiting jobs', async () => {
  const { pool, run, began } = setUp()
  const [held, waiting] = [why(run('hold')), why(run('waiting'))]
  await expect.poll(() => began).toEqual(['hold'])
  await pool.close()
  expect(await Promise.all([held, waiting, why(run('after'))])).toEqual(['closed', 'closed', 'closed'])
})
