import { setImmediate as nextTurn } from 'node:timers/promises'

import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { aCall } from '../../../test/support/calls.ts'
import { noModel } from '../../../test/support/no-model.ts'
import type { Call, Principal } from '../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { BranchBudget, BranchSpending, BranchUsage } from '../../core/ports.ts'
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
    run: () => Promise.reject(new Error('the stage runs nothing')),
    ...parts,
  }
}

function setUp({ tool, ...parts }: Partial<BudgetStageOptions> & { tool?: Tool } = {}) {
  const store = parts.store ?? temporaryStore()
  const refs = createRefs({ store, clock: Date.now, ttlMs: 60_000, count: estimateTokens })
  const stage = budgetStage({
    store,
    refs,
    count: estimateTokens,
    answerTokens: 500,
    model: noModel,
    ...parts,
  })
  let went = 0
  const own = { principal: main, resolvedTool: tool }
  const run = (result: Result = answer('fine'), call: Call = aCall(own)): Promise<Result> =>
    stage(call, async () => {
      went += 1
      return result
    })
  return { run, refs, store, stage, went: () => went }
}

const used = (result: Result): number =>
  ((result as Answer).structured as { tokens_used: number }).tokens_used

describe('an answer', () => {
  test('that is small does not touch the store', async () => {
    const { run } = setUp({ store: {} as Store })
    const call = aCall({ principal: main })
    expect(await run(answer({ ok: true }), call)).toMatchObject({
      content: [{ type: 'text', text: 'ok: true' }],
      structured: { data: { ok: true }, tokens_used: call.trail.tokens },
    })
    expect(call.trail.tokens).toBeGreaterThan(0)
    expect(call.trail.truncated).toBeUndefined()
  })

  test('that is long is cut to the configured limit, and its text stored unchanged', async () => {
    const { run, refs } = setUp()
    const call = aCall({ principal: main })
    const result = await run(answer({ stdout: long }), call)
    const [ref] = ((result as Answer).structured as { refs: { ref: string }[] }).refs
    expect(used(result)).toBeLessThanOrEqual(500)
    expect(call.trail).toMatchObject({ tokens: used(result), truncated: true })
    const owner = { tenant: 'local', project: '/project', session: 'session-1', agent: 'main' }
    expect(refs.read(owner, ref?.ref ?? '', 0, 100_000).text).toBe(long)
  })

  test('has the limit and the mode that its tool defines', async () => {
    const { run } = setUp({ tool: toolWith({ maxTokens: 150, keep: 'head-and-tail' }) })
    const result = await run(answer(long))
    expect(used(result)).toBeLessThanOrEqual(150)
    expect((result as Answer).structured).toMatchObject({
      data: expect.stringMatching(/^line 0\n[\s\S]*line 2999\n$/),
    })
  })

  test('that is large waits for its turn, but a small one does not', async () => {
    const { run } = setUp()
    const ended: string[] = []
    const noted = async (name: string, text: string): Promise<void> => {
      await run(answer(text))
      ended.push(name)
    }
    const large = long.repeat(4)
    const all = [noted('large 1', large), noted('large 2', large), noted('small', 'fine')]
    const turn = nextTurn().then(() => ended.push('turn'))
    await Promise.all([...all, turn])
    expect(ended[0]).toBe('small')
    expect(ended.indexOf('turn')).toBeLessThan(ended.indexOf('large 2'))
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
])('other results pass unchanged ($kind)', async (result) => {
  expect(await setUp().run(result)).toBe(result)
})

test('lists pass at any budget', async () => {
  const { run } = setUp({ sessionLimit: () => 0 })
  const list: Result = { kind: 'payload', value: { tools: [] } }
  expect(await run(list, aCall({ method: 'list', principal: main }))).toBe(list)
})

test('an unidentified caller has no budget', async () => {
  const { run, went } = setUp()
  expect(await run(answer('x'), aCall())).toMatchObject({ error: { code: 'IDENTITY_REQUIRED' } })
  expect(went()).toBe(0)
})

describe('a session with a limit', () => {
  test('spends it, and then is refused before anything runs', async () => {
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

  test('shows no image it has no tokens for', async () => {
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

  test('is counted per session and agent, in one store for all processes', async () => {
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
    const { run } = setUp({ ...limits, tool: toolWith({ free: () => true }) })
    expect(await run(answer('summary'))).toMatchObject({ structured: { data: 'summary' } })
  })

  test('is not exceeded by concurrent calls', async () => {
    const { run } = setUp({ sessionLimit: () => 1000 })
    const results = await Promise.all(Array.from({ length: 6 }, () => run(answer(long))))
    const spent = results.reduce((sum, result) => sum + used(result), 0)
    // Calls that had started still get the minimal answer.
    expect(spent).toBeLessThanOrEqual(1000 + 5 * 100)
  })
})

describe('a branch', () => {
  /** A branch that every caller is in. */
  const branchOf = (parts: Partial<BranchUsage> = {}) => {
    const state = { id: 'br_1', budget: 8192, used: 0, isOwn: false, ...parts }
    const charged: BranchSpending[] = []
    const entered: Call[] = []
    const port: BranchBudget = {
      enter(call) {
        entered.push(call)
        return { ...state }
      },
      usageOf: () => ({ ...state }),
      charge(_, __, spent) {
        charged.push(spent)
        state.used += spent.returned
      },
    }
    return { state, charged, entered, port }
  }
  const noteOf = (result: Result): unknown =>
    ((result as Answer).structured as { note?: string } | undefined)?.note

  test('limits the answer, is charged for it, and is set on the call', async () => {
    const { charged, port } = branchOf({ budget: 300 })
    let seen: string | undefined
    const stage = setUp({ branch: port }).stage
    const call = aCall({ principal: main })
    const result = await stage(call, async ({ branch }) => {
      seen = branch
      return answer(long)
    })
    expect(used(result)).toBeLessThanOrEqual(300)
    expect(charged).toEqual([{ returned: used(result), produced: used(result) }])
    expect(seen).toBe('br_1')
    expect(call.trail.notes).toEqual(['in branch br_1'])
  })

  test('that is used up refuses calls and asks to return, except free tools', async () => {
    const { port } = branchOf({ budget: 8192, used: 8100 })
    const { run, went } = setUp({ branch: port })
    expect(await run()).toMatchObject({
      error: {
        code: 'BUDGET_EXHAUSTED',
        scope: 'branch',
        limit: 8192,
        branch: 'br_1',
        hint: expect.stringMatching(/`return`.*pending/),
      },
    })
    expect(went()).toBe(0)
    const free = setUp({ branch: port, tool: toolWith({ free: () => true }) })
    expect((await free.run()).kind).toBe('answer')
  })

  test('that no caller is in limits nothing', async () => {
    const { port } = branchOf()
    const { run } = setUp({ branch: { ...port, enter: () => undefined } })
    expect(((await run(answer({ a: 1 }))) as Answer).structured as JsonObject).toMatchObject({
      data: { a: 1 },
    })
  })

  test('that a call may not enter refuses it before anything runs', async () => {
    const { port } = branchOf()
    const { run, went } = setUp({ branch: { ...port, enter: () => refusal('BRANCH_NOT_FOUND') } })
    expect(await run()).toMatchObject({ error: { code: 'BRANCH_NOT_FOUND' } })
    expect(went()).toBe(0)
  })

  test.each<[string, Result]>([
    ['our own answers', answer({ stdout: long })],
    ['answers of others', { kind: 'answer', own: false, content: [{ type: 'text', text: long }] }],
  ])('warns once at 80 %%, in %s', async (_, result) => {
    const { state, port } = branchOf({ budget: 2500 })
    const { run } = setUp({ branch: port })
    const warned: number[] = []
    for (let calls = 0; state.used < 2400; calls += 1) {
      const answered = await run(result)
      if (JSON.stringify(answered).includes('80 %')) {
        warned.push(state.used)
        expect(shown(answered)).toContain('`return` soon')
      }
      expect((answered as Answer).isError).toBeUndefined()
      expect(calls).toBeLessThan(10)
    }
    expect(warned).toHaveLength(1)
    expect(warned[0]).toBeGreaterThanOrEqual(2000)
    expect(state.used).toBeLessThanOrEqual(2500)
  })

  test('warns within the limit of an answer', async () => {
    const { port } = branchOf({ budget: 1000, used: 700 })
    const { run } = setUp({ branch: port, answerTokens: 250 })
    const answered = await run(answer(long))
    expect(noteOf(answered)).toContain('80 %')
    expect(used(answered)).toBeLessThanOrEqual(250)
    expect(estimateTokens(shown(answered))).toBeLessThanOrEqual(250)
    expect(estimateTokens(JSON.stringify((answered as Answer).structured))).toBeLessThanOrEqual(250)
  })

  test('informs its worker once, in addition to other notes', async () => {
    const { port } = branchOf({ isNew: true })
    const { run } = setUp({ branch: port })
    const introduced = { ...answer('fine'), structured: { data: 'fine', note: 'Mind the gap.' } }
    const first = await run(introduced)
    expect(noteOf(first)).toMatch(/^Mind the gap\. You work in branch br_1 with 8192 tokens/)
    expect(shown(first)).toContain('You work in branch br_1')
    expect(used(first)).toBeGreaterThan(10)
    expect(noteOf(await setUp({ branch: branchOf().port }).run(answer('fine')))).toBeUndefined()
  })

  test('in which its opener works returns long answers as previews, and counts their full size', async () => {
    const { charged, port } = branchOf({ isOwn: true })
    const { run, refs } = setUp({ branch: port, answerTokens: 2000 })
    const result = (await run(answer({ stdout: long }))) as Answer
    expect(used(result)).toBeLessThanOrEqual(250)
    expect(charged).toEqual([{ returned: used(result), produced: 2000 }])
    const [ref] = (result.structured as { refs: { ref: string }[] }).refs
    const owner = { tenant: 'local', project: '/project', session: 'session-1', agent: 'main' }
    expect(refs.read({ ...owner, branch: 'br_1' }, ref!.ref, 0, 100_000).text).toBe(long)
    expect(() => refs.read(owner, ref!.ref, 0, 100)).toThrow(
      expect.objectContaining({ code: 'REF_NOT_FOUND' }),
    )

    const short = await run(answer('line\n'.repeat(100)))
    expect((short as Answer).structured).not.toHaveProperty('truncated')
    expect(charged[1]?.produced).toBe(used(short))
    // Reading on in a shortened answer is an explicit request.
    const slice = { ref: 'ref_x', from: 0, to: long.length, total: long.length }
    expect(used(await run(answer(long, { slice })))).toBeGreaterThan(1000)
    // So is returning.
    const free = setUp({ branch: port, answerTokens: 2000, tool: toolWith({ free: () => true }) })
    expect(used(await free.run(answer(long)))).toBeGreaterThan(1000)
  })

  test('in which its opener works previews lines of a file rather than the start of an envelope', async () => {
    const { run } = setUp({ branch: branchOf({ isOwn: true }).port, answerTokens: 2000 })
    const text = 'A line of a file, as files have them.\n'.repeat(500)
    const hash = 'b13c09da291417dbb8a1e1e0'
    const result = await run(answer({ lines: '1-500 of 500', bytes: text.length, hash, text }))
    expect(shown(result)).toContain(`hash: ${hash}\ntext:\nA line of a file, as files have them.\nA line`)
    expect((result as Answer).structured).toMatchObject({ refs: [{ field: 'data.text' }] })
  })

  test('in which another agent works returns answers of normal size', async () => {
    const { charged, port } = branchOf()
    const { run } = setUp({ branch: port, answerTokens: 2000 })
    const result = await run(answer(long))
    expect(used(result)).toBeGreaterThan(1000)
    expect(charged).toEqual([{ returned: used(result), produced: used(result) }])
  })

  test('ended by the call itself leaves its answer, and the rest of it, to the enclosing one', async () => {
    const outer: BranchUsage = { id: 'br_outer', budget: 1000, used: 0, isOwn: false }
    const charged: string[] = []
    const { port } = branchOf({ isNew: true })
    const { run, refs } = setUp({
      branch: { ...port, usageOf: () => outer, charge: (_, id) => void charged.push(id) },
      tool: toolWith({ free: () => true }),
    })
    const result = (await run(answer(long))) as Answer
    expect(charged).toEqual(['br_outer'])
    expect(noteOf(result)).toBeUndefined()
    const [ref] = (result.structured as { refs: { ref: string }[] }).refs
    const owner = { tenant: 'local', project: '/project', session: 'session-1', agent: 'main' }
    expect(refs.read({ ...owner, branch: 'br_outer' }, ref!.ref, 0, 100).total).toBe(long.length)
  })

  test('and the session limit apply both', async () => {
    const { state, port } = branchOf({ budget: 5000 })
    const { run } = setUp({ branch: port, sessionLimit: () => 550 })
    const spent = used(await run(answer(long)))
    expect(state.used).toBe(spent)
    expect(await run(answer(long))).toMatchObject({ error: { scope: 'session' } })
  })
})

/** The text that a client shows. */
function shown(result: Result): string {
  return (result as Answer).content.map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}
