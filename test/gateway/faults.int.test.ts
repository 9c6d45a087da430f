/** Servers that fail while they work, behind the real contextd. */

import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../src/core/result.ts'
import {
  dataOf,
  fixture,
  gatewayRuntime,
  textOf,
  type GatewayRuntime,
  type GatewayRuntimeOptions,
} from '../support/gateway-runtime.ts'
import { newProcessMark, type ProcessMark } from '../support/process-mark.ts'
import { until } from '@contextd/shared/testing/until'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

let gateway: GatewayRuntime
let mark: ProcessMark
let folder: string
beforeEach(() => {
  mark = newProcessMark()
  folder = mkdtempSync(join(tmpdir(), 'contextd-faults-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await gateway.close()
  await until(() => mark.processes().length === 0)
  rmSync(folder, { recursive: true })
})

/** Number of starts of the server. */
const starts = (): number => linesIn('bad')
/** Number of calls it received and does not answer. */
const unansweredCalls = (): number => linesIn('bad-calls')

function linesIn(name: string): number {
  const file = join(folder, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0
}

const naughty = (mode: string, rest: JsonObject = {}): JsonObject =>
  fixture('naughty', [mode], { env: { ...mark.env, STARTS_FILE: join(folder, 'bad') }, ...rest })

/** One server that misbehaves, and one that does not. */
async function start(bad: JsonObject, rest: Partial<GatewayRuntimeOptions> = {}): Promise<GatewayRuntime> {
  const good = fixture('notebook', [], { env: mark.env })
  gateway = await gatewayRuntime({ servers: { bad, good }, ...rest })
  return gateway
}

const bad = (timeout?: number): Promise<Result> =>
  gateway.call('execute_tool', { server: 'bad', tool: 'any', ...(timeout && { timeout_ms: timeout }) })

async function expectOthersWork(): Promise<void> {
  expect(textOf(await gateway.execute('good', 'write', { text: 'still here' }))).toMatch(/^kept/)
}

/** With a short startup timeout, a busy machine may need another attempt. */
async function waitUntilOthersWork(): Promise<void> {
  await until(async () =>
    textOf(await gateway.execute('good', 'write', { text: 'still here' })).startsWith('kept'),
  )
}

const unavailable = (why: string): object => ({
  kind: 'refusal',
  error: { code: 'SERVER_UNAVAILABLE', server: 'bad', message: expect.stringContaining(why) as string },
})

describe('a server that exits', () => {
  test('killed during a call: the call reports it, the next one restarts the server', async () => {
    await start(naughty('hangs'))
    const calls = [bad(), bad()]
    await until(() => unansweredCalls() === 2)
    await expectOthersWork()
    process.kill(Number(readFileSync(join(folder, 'bad'), 'utf8')), 'SIGKILL')
    for (const result of await Promise.all(calls)) {
      expect(result).toMatchObject(unavailable('its program was ended by SIGKILL'))
    }
    expect(gateway.runtime.upstream.health()).toMatchObject([{ server: 'bad', state: 'failing' }, {}])
    expect(await gateway.call('get_server_tools', { server: 'bad' })).toMatchObject({ kind: 'answer' })
    expect(starts()).toBe(2)
  })

  test('a call that it may have received is not repeated', async () => {
    await start(naughty('exit'))
    expect(await bad()).toMatchObject(unavailable('it broke here'))
    expect(starts()).toBe(1)
  })

  test('at startup: tried twice, then left alone for a while, and its last output is reported', async () => {
    // The pause does not end during the test.
    vi.useFakeTimers({ toFake: ['Date'] })
    await start(naughty('dies-at-start'))
    expect(await bad()).toMatchObject({
      error: { code: 'SERVER_UNAVAILABLE', last_line: 'the configuration is wrong' },
    })
    expect(starts()).toBe(2)
    const answers = await Promise.all(Array.from({ length: 50 }, () => bad()))
    expect(new Set(answers.map(({ kind }) => kind))).toEqual(new Set(['refusal']))
    expect(starts()).toBe(2)
    await expectOthersWork()
  })

  test('repeatedly: called continuously for two seconds, it is started only a few times', async () => {
    await start(naughty('exit'))
    const end = Date.now() + 2000
    let calls = 0
    // Starts are slow, so two seconds may be over before many calls.
    while (Date.now() < end || calls <= 5) {
      await bad()
      calls += 1
    }
    // Immediately, after half a second, and after another one.
    expect(starts()).toBeLessThanOrEqual(5)
    expect(gateway.runtime.upstream.health()).toMatchObject([{ server: 'bad', state: 'failing' }, {}])
  })

  test('right after each response: not restarted continuously either', async () => {
    await start(naughty('exits-answered'))
    const end = Date.now() + 2000
    let answered = 0
    while (Date.now() < end) {
      if ((await bad()).kind === 'answer') answered += 1
      await sleep(5)
    }
    expect(answered).toBeGreaterThan(0)
    expect(starts()).toBeLessThanOrEqual(5)
  })

  test('is retried after the pause, which is then reset', async () => {
    const gone = join(folder, 'gone')
    await start({ ...naughty('none'), command: gone })
    expect(await bad()).toMatchObject(unavailable('its program was not found'))
    symlinkSync(process.execPath, gone)
    await until(async () => (await bad()).kind === 'answer')
    expect(gateway.runtime.upstream.health()).toMatchObject([{ server: 'bad', state: 'connected' }, {}])
  })
})

describe('a server that hangs', () => {
  test('uses up the time of the call; a frozen one is replaced for the next call', async () => {
    await start(naughty('freezes'))
    await gateway.call('get_server_tools', { server: 'bad' })
    // A call that times out before it arrives gets more time.
    for (let ms = 300; unansweredCalls() === 0; ms *= 2) {
      const frozen = bad(ms)
      await expectOthersWork()
      expect(await frozen).toMatchObject({ structured: { error: { code: 'TIMEOUT' } } })
    }
    await until(() => gateway.runtime.upstream.health()[0]?.connections === 0)
    expect(await gateway.call('get_server_tools', { server: 'bad' })).toMatchObject({ kind: 'answer' })
    expect(starts()).toBe(2)
  })

  test('in one call only is not restarted', async () => {
    await start(naughty('hangs'))
    await gateway.call('get_server_tools', { server: 'bad' })
    for (let count = 0; count < 3; count += 1) await bad(100)
    await expectOthersWork()
    expect(starts()).toBe(1)
  })

  test('at startup: the call, the startup and other calls have separate time limits', async () => {
    await start(naughty('hangs-at-start'), { config: '[upstream]\nstart_ms = 4000\n' })
    const [short, long] = [bad(200), bad()]
    await waitUntilOthersWork()
    expect(await short).toMatchObject({ structured: { error: { code: 'TIMEOUT' } } })
    expect(await long).toMatchObject(unavailable('it did not start within 4000 ms'))
    expect(starts()).toBeLessThan(2)
    expect(JSON.stringify(dataOf(await gateway.call('find_tools', { query: 'write note' })))).toContain(
      'write',
    )
  })

  test('at startup, for many agents: others still start', async () => {
    await start(naughty('hangs-at-start'), { config: '[upstream]\nstart_ms = 60000\n' })
    const stop = new AbortController()
    const waiting = Array.from({ length: 6 }, (_, at) =>
      gateway.execute('bad', 'any', {}, { session: `session ${at}`, signal: stop.signal }),
    )
    await until(() => starts() >= 4)
    await expectOthersWork()
    stop.abort()
    for (const result of await Promise.all(waiting)) {
      expect(JSON.stringify(result)).toContain('CANCELLED')
    }
  })

  test('at startup, with garbage collection meanwhile: its time limit still applies', async () => {
    // An unreferenced timer would be garbage collected, and the wait would never end.
    await start(naughty('hangs-at-start'), { config: '[upstream]\nstart_ms = 1500\n' })
    const waiting = bad()
    const collecting = setInterval(collectGarbage, 50)
    expect(await waiting).toMatchObject(unavailable('it did not start within 1500 ms'))
    clearInterval(collecting)
  })

  test('when it should list its tools: calls report that it does not respond, and it is restarted', async () => {
    await start(naughty('hangs-listing'), { config: '[upstream]\nstart_ms = 4000\n' })
    // On a busy machine the startup alone may take all of the time.
    await until(async () => JSON.stringify(await bad()).includes('it does not respond'))
    expect(await gateway.call('get_server_tools', { server: 'bad' })).toMatchObject({
      error: { code: 'SERVER_UNAVAILABLE' },
    })
    await waitUntilOthersWork()
  })
})

describe('a server that floods', () => {
  const config = '[upstream]\nmessage_kb = 256\n'

  test.each(['endless-line', 'only-nonsense', 'long-line'])(
    '%s: it is stopped, and the call reports why',
    async (mode) => {
      await start(naughty(mode), { config })
      const before = process.memoryUsage().rss
      expect(await bad()).toMatchObject(
        unavailable(mode === 'only-nonsense' ? 'not messages' : 'more than 262144 bytes'),
      )
      expect(process.memoryUsage().rss - before).toBeLessThan(128 << 20)
      await expectOthersWork()
    },
  )

  test.each(['endless-notices', 'endless-progress', 'endless-log'])(
    '%s: others keep working, and the call has its full time',
    async (mode) => {
      const { runtime, session } = await start(naughty(mode), { transparent: true })
      // Started first, so that startup does not use up the time of the call.
      await gateway.call('get_server_tools', { server: 'bad' })
      let heard = 0
      runtime.catalogue.payloads?.onChanged?.(() => (heard += 1))
      const noticed = {
        onProgress: () => (heard += 1),
        onLog: () => (heard += 1),
        logLevel: 'debug',
      } as const
      const before = process.memoryUsage().rss
      // A server that is stopped for it is stopped long before.
      const timeout_ms = mode === 'endless-notices' ? 60_000 : 4000
      const flooding = gateway.call('execute_tool', { server: 'bad', tool: 'any', timeout_ms }, noticed)
      for (let count = 0; count < 20; count += 1) await expectOthersWork()
      const end =
        mode === 'endless-notices'
          ? unavailable('too many notices')
          : { structured: { error: { code: 'TIMEOUT' } } }
      expect(await flooding).toMatchObject(end)
      expect(heard).toBeGreaterThan(0)
      expect(heard).toBeLessThan(1000)
      await expectOthersWork()
      expect(process.memoryUsage().rss - before).toBeLessThan(256 << 20)
      runtime.sessions.end(session)
      await until(() => mark.processes().length <= 1)
    },
  )

  test.each(['nonsense', 'unknown-id', 'twice', 'shapes', 'chatty'])('%s is tolerated', async (mode) => {
    await start(naughty(mode))
    for (let count = 0; count < 3; count += 1) expect(await bad()).toMatchObject({ kind: 'answer' })
    expect(starts()).toBe(1)
  })

  test.each(['deep', 'not-utf8', 'wrong-result', 'wrong-error'])(
    '%s: the call fails, the connection stays open',
    async (mode) => {
      await start(naughty(mode))
      for (let count = 0; count < 2; count += 1) expect(await bad()).toMatchObject({ kind: 'fault' })
      expect(starts()).toBe(1)
    },
  )
})
