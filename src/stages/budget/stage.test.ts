import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { aCall } from '../../../test/support/calls.ts'
import type { Call, Principal } from '../../core/call.ts'
import type { JsonObject } from '../../core/json.ts'
import { answer, refusal, type Answer, type Result } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import type { Store } from '../../platform/storage/store.ts'
import { estimateTokens } from './estimate.ts'
import { createRefs } from './refs.ts'
import { budgetStage, type BudgetStageOptions } from './stage.ts'

const main: Principal = { agent: 'main', level: 'default' }
const long = Array.from({ length: 3000 }, (_, index) => `line ${index}\n`).join('')

function toolWith(parts: Partial<Tool>): Tool {
  return {
    definition: { name: 'probe', description: '', inputSchema: { type: 'object' } },
    server: 'contextd',
    needs: [],
    check: () => [],
    run: () => Promise.reject(new Error('the stage runs nothing')),
    ...parts,
  }
}

function setUp(parts: Partial<BudgetStageOptions> = {}) {
  const store = parts.store ?? temporaryStore()
  const refs = createRefs({ store, clock: Date.now, ttlMs: 60_000, count: estimateTokens })
  const stage = budgetStage({
    store,
    refs,
    count: estimateTokens,
    answerTokens: 500,
    find: () => undefined,
    ...parts,
  })
  let went = 0
  const run = (result: Result = answer('fine'), call: Call = aCall({ principal: main })): Promise<Result> =>
    stage(call, async () => {
      went += 1
      return result
    })
  return { run, refs, store, went: () => went }
}

const used = (result: Result): number =>
  ((result as Answer).structured as { tokens_used: number }).tokens_used

describe('an answer', () => {
  test('that is small touches no store', async () => {
    const { run } = setUp({ store: {} as Store })
    const call = aCall({ principal: main })
    expect(await run(answer({ ok: true }), call)).toMatchObject({
      content: [{ type: 'text', text: 'ok: true' }],
      structured: { data: { ok: true }, tokens_used: call.trail.tokens },
    })
    expect(call.trail.tokens).toBeGreaterThan(0)
    expect(call.trail.truncated).toBeUndefined()
  })

  test('that is long is cut to the configured limit, and its text kept as it came', async () => {
    const { run, refs } = setUp()
    const call = aCall({ principal: main })
    const result = await run(answer({ stdout: long }), call)
    const [ref] = ((result as Answer).structured as { refs: { ref: string }[] }).refs
    expect(used(result)).toBeLessThanOrEqual(500)
    expect(call.trail).toMatchObject({ tokens: used(result), truncated: true })
    const owner = { tenant: 'local', project: '/project', session: 'session-1', agent: 'main' }
    expect(refs.read(owner, ref?.ref ?? '', 0, 100_000).text).toBe(long)
  })

  test('has the limit and the shape its tool asks for', async () => {
    const { run } = setUp({ find: () => toolWith({ maxTokens: 150, keep: 'head-and-tail' }) })
    const result = await run(answer(long))
    expect(used(result)).toBeLessThanOrEqual(150)
    expect((result as Answer).structured).toMatchObject({
      data: expect.stringMatching(/^line 0\n[\s\S]*line 2999\n$/),
    })
  })

  test('of another server is cut too', async () => {
    const { run } = setUp()
    const result = await run({ kind: 'answer', own: false, content: [{ type: 'text', text: long }] })
    expect((result as Answer).meta).toMatchObject({ 'dev.contextd/result': { truncated: true } })
  })
})

test.each<Result>([
  refusal('DENIED_BY_POLICY', { agent: 'main', server: 's', tool: 't' }),
  { kind: 'payload', value: { text: long } },
  { kind: 'input_required', requests: { ask: { message: long } } },
])('what is no answer passes as it is ($kind)', async (result) => {
  expect(await setUp().run(result)).toBe(result)
})

test('lists pass at any budget', async () => {
  const { run } = setUp({ sessionLimit: () => 0 })
  const list: Result = { kind: 'payload', value: { tools: [] } }
  expect(await run(list, aCall({ method: 'list', principal: main }))).toBe(list)
})

test('nobody has no budget', async () => {
  const { run, went } = setUp()
  expect(await run(answer('x'), aCall())).toMatchObject({ error: { code: 'IDENTITY_REQUIRED' } })
  expect(went()).toBe(0)
})

describe('a session with a limit', () => {
  test('spends it, then is refused before anything runs', async () => {
    const { run, went } = setUp({ sessionLimit: () => 1200 })
    let spent = 0
    for (let round = 0; round < 10; round += 1) {
      const result = await run(answer(long))
      if (result.kind === 'refusal') {
        expect(result.error).toMatchObject({ code: 'BUDGET_EXHAUSTED', scope: 'session', limit: 1200 })
        break
      }
      spent += used(result)
    }
    expect(spent).toBeGreaterThan(1000)
    expect(spent).toBeLessThanOrEqual(1200)
    const before = went()
    expect((await run(answer('short'))).kind).toBe('refusal')
    expect(went()).toBe(before)
  })

  test('shows no picture it has no tokens for', async () => {
    const picture = { type: 'image', data: 'QUJD', mimeType: 'image/png' }
    const pictures: Answer = {
      kind: 'answer',
      own: false,
      content: Array.from({ length: 500 }, () => picture),
    }
    const shownAt = async (limit: number): Promise<number> => {
      const result = (await setUp({ sessionLimit: () => limit }).run(pictures)) as Answer
      expect(result.meta).toMatchObject({ 'dev.contextd/result': { truncated: true } })
      return result.content.filter(({ type }) => type === 'image').length
    }
    expect(await shownAt(1000)).toBe(0)
    expect(await shownAt(4000)).toBe(2)
  })

  test('is counted per session and agent, in one store for every process', async () => {
    const store = temporaryStore()
    const limits = { store, sessionLimit: () => 400 }
    await setUp(limits).run(answer(long))
    const { run } = setUp(limits)
    expect((await run()).kind).toBe('refusal')
    expect((await run(answer('x'), aCall({ principal: main, session: 'session-2' }))).kind).toBe('answer')
    expect((await run(answer('x'), aCall({ principal: { ...main, agent: 'other' } }))).kind).toBe('answer')
  })

  test('lets free tools work to the end', async () => {
    const limits = { store: temporaryStore(), sessionLimit: () => 400 }
    await setUp(limits).run(answer(long))
    expect((await setUp(limits).run()).kind).toBe('refusal')
    const { run } = setUp({ ...limits, find: () => toolWith({ free: true }) })
    expect(await run(answer('summary'))).toMatchObject({ structured: { data: 'summary' } })
  })

  test('is not overspent by calls at the same time', async () => {
    const { run } = setUp({ sessionLimit: () => 1000 })
    const results = await Promise.all(Array.from({ length: 6 }, () => run(answer(long))))
    const spent = results.reduce((sum, result) => sum + used(result), 0)
    // Calls that had begun still get the least an answer can have.
    expect(spent).toBeLessThanOrEqual(1000 + 5 * 100)
  })
})

describe('a branch', () => {
  const branchOf = (left: number) => {
    const branch = { left, charged: [] as number[] }
    return {
      branch,
      port: {
        limit: () => 8192,
        remaining: () => branch.left,
        charge(_: Call, tokens: number) {
          branch.charged.push(tokens)
          branch.left -= tokens
        },
      },
    }
  }

  test('limits the answer and is charged with what was returned', async () => {
    const { branch, port } = branchOf(300)
    const { run } = setUp({ branch: port })
    const result = await run(answer(long))
    expect(used(result)).toBeLessThanOrEqual(300)
    expect(branch.charged).toEqual([used(result)])
  })

  test('that is used up refuses, but not free tools', async () => {
    const { port } = branchOf(10)
    expect(await setUp({ branch: port }).run()).toMatchObject({
      error: { code: 'BUDGET_EXHAUSTED', scope: 'branch', limit: 8192 },
    })
    const { run } = setUp({ branch: port, find: () => toolWith({ free: true }) })
    expect((await run()).kind).toBe('answer')
  })

  test('that nobody is in limits nothing', async () => {
    const { run } = setUp({ branch: { limit: () => undefined, remaining: () => undefined, charge() {} } })
    expect(((await run(answer({ a: 1 }))) as Answer).structured as JsonObject).toMatchObject({
      data: { a: 1 },
    })
  })
})
