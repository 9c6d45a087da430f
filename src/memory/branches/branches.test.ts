import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { aCall } from '../../../test/support/calls.ts'
import type { Call } from '../../core/call.ts'
import type { ContextdError } from '../../core/errors/errors.ts'
import type { BranchUsage } from '../../core/ports.ts'
import type { Archiver } from '../memory-access.ts'
import { createBranches, type BranchesOptions, type NewBranch } from './branches.ts'

const archiver: Archiver = {
  archive: (text) => text.replaceAll('hunter2', '[kept secret]'),
  recall: (text) => text,
}
const wanted: NewBranch = { description: 'look for it', prompt: 'Look for it in all files.' }

const main = (parts: Partial<Call> = {}): Call =>
  aCall({
    principal: { agent: 'main', level: 'attested' },
    claims: { attested: { agent: 'main' } },
    ...parts,
  })
const sub = (instance: string, branch?: string): Call =>
  aCall({
    principal: { agent: 'default', level: 'default', instance },
    claims: { attested: { agent: 'helper', instance }, ...(branch !== undefined && { branch }) },
  })

function setUp(parts: Partial<BranchesOptions> = {}) {
  const clock = { now: 1_000_000 }
  let ids = 0
  const options: BranchesOptions = {
    store: parts.store ?? temporaryStore(),
    tenant: 'local',
    project: '/project',
    clock: () => clock.now,
    newId: () => `${(ids += 1)}`,
    limits: { budget: 8192, depth: 3, open: 10, minutes: 30 },
    ...parts,
  }
  const branches = createBranches(options)
  /** Like the budget stage: returns the call as it is passed on. */
  const entered = (call: Call): Call => {
    const standing = branches.enter(call)
    if (standing === undefined) return call
    if ('kind' in standing) throw new Error(standing.error.code)
    return { ...call, branch: standing.id }
  }
  const open = (call: Call = main(), more: Partial<NewBranch> = {}) =>
    branches.open(entered(call), { ...wanted, ...more }, archiver)
  const end = (call: Call = main(), message = 'done') => branches.end(entered(call), message, archiver)
  /** An answer of that many tokens in whatever branch the call is in. */
  const spend = (call: Call, returned: number, produced = returned): void => {
    const { branch } = entered(call)
    branches.charge(call, branch!, { returned, produced })
  }
  const where = (call: Call): string | undefined => entered(call).branch
  return { branches, options, clock, open, end, spend, where, entered }
}

const problemOf = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    const { message, details } = error as ContextdError
    return `${message} ${JSON.stringify(details)}`
  }
  return 'none'
}

test('a branch can be opened, worked in and returned from', () => {
  const { branches, open, end, spend, where } = setUp()
  expect(where(main())).toBeUndefined()
  const branch = open()
  expect(branch).toMatchObject({ id: 'br_1', depth: 1, budget: 8192, used: 0, state: 'open' })
  expect(branch.ends).toBe(1_000_000 + 30 * 60_000)
  expect(where(main())).toBe('br_1')
  spend(main(), 100, 900)
  expect(branches.enter(main())).toEqual({ id: 'br_1', budget: 8192, used: 100, isOwn: true })
  const ended = end()
  expect(ended).toMatchObject({
    keptOut: 800,
    closedInside: 0,
    branch: { state: 'returned', message: 'done' },
  })
  expect(where(main())).toBeUndefined()
  expect(problemOf(() => end())).toContain('not in an open branch with this id')
})

test('stored texts are archived, and nothing is stored if that fails', () => {
  const { branches, open, end } = setUp()
  open(main(), { prompt: 'use hunter2' })
  end(main(), 'hunter2 works')
  expect(branches.find('br_1')).toMatchObject({ prompt: 'use [kept secret]', message: '[kept secret] works' })
  const broken: Archiver = {
    ...archiver,
    archive() {
      throw new Error('cannot be scrubbed')
    },
  }
  expect(() => branches.open(main(), wanted, broken)).toThrow('cannot be scrubbed')
  expect(branches.list(10)).toHaveLength(1)
  open()
  expect(() => branches.end(main(), 'hunter2', broken)).toThrow('cannot be scrubbed')
  expect(branches.openIn('session-1')).toHaveLength(1)
})

test("a subagent that joins keeps everything but its result out of the opener's context", () => {
  const { branches, open, end, spend, where } = setUp()
  open()
  expect(branches.enter(sub('a1'))).toMatchObject({ id: 'br_1', isOwn: false, isNew: true })
  expect(branches.enter(sub('a1'))).not.toHaveProperty('isNew')
  spend(sub('a1'), 700)
  expect(where(main())).toBeUndefined()
  expect(where(sub('a2'))).toBeUndefined()
  // What the opener reads in it by id enters the opener's own context.
  spend(main({ claims: { attested: { agent: 'main' }, branch: 'br_1' } }), 50)
  expect(end(sub('a1'))).toMatchObject({ keptOut: 700, branch: { used: 750 } })
})

test('the opener can end a branch its subagent left open', () => {
  const { open, end, spend } = setUp()
  open()
  spend(sub('a1'), 700)
  expect(end(main())).toMatchObject({ branch: { id: 'br_1', state: 'returned' }, keptOut: 700 })
})

test('once its opener works in it, a subagent can join by id only, and what the opener read is not counted as kept out', () => {
  const { open, end, spend, where } = setUp()
  open()
  spend(main(), 10, 60)
  expect(where(sub('a1'))).toBeUndefined()
  spend(sub('a1', 'br_1'), 700)
  expect(where(main())).toBeUndefined()
  expect(end(sub('a1'))).toMatchObject({ keptOut: 750, branch: { used: 710 } })
})

test('an existing subagent joins a later branch only by its id', () => {
  const { open, where } = setUp()
  expect(where(sub('a1'))).toBeUndefined()
  open()
  expect(where(sub('a1'))).toBeUndefined()
  expect(where(sub('a1', 'br_1'))).toBe('br_1')
  const other = setUp()
  other.open()
  expect(other.where(sub('a1'))).toBe('br_1')
})

test('answers in a nested branch of the same agent are also charged to the enclosing ones', () => {
  const { branches, open, end, spend } = setUp()
  open(main(), { budget: 2000 })
  for (let n = 0; n < 3; n += 1) {
    open(main(), { budget: 500 })
    spend(main(), 400, 450)
    end()
  }
  expect(branches.find('br_1')).toMatchObject({ used: 1200, produced: 1350 })
  // What a subagent reads there is in its own context.
  open(main(), { budget: 500 })
  spend(sub('a1'), 400)
  end(sub('a1'))
  expect(branches.find('br_1')).toMatchObject({ used: 1200 })
})

test('two subagents arriving simultaneously do not both join', () => {
  const store = temporaryStore()
  const one = setUp({ store })
  const other = setUp({ store })
  one.open()
  const joined = [one.where(sub('a1')), other.where(sub('a2'))]
  expect(joined).toEqual(['br_1', undefined])
})

test.each([
  ['of another session', main({ session: 'session-2' })],
  ['of another agent', main({ claims: { attested: { agent: 'other' } } })],
  ['with a lower identity level', main({ claims: {}, principal: { agent: 'main', level: 'declared' } })],
])('the branches are not available to a caller %s', (_, call) => {
  const { branches, open, end, spend } = setUp()
  open()
  spend(main(), 10)
  expect(branches.enter(call)).toBeUndefined()
  const named = { ...call, claims: { ...call.claims, branch: 'br_1' } }
  expect(branches.enter(named)).toMatchObject({ error: { code: 'BRANCH_NOT_FOUND' } })
  expect(problemOf(() => end(call))).toContain('not in an open branch with this id')
  expect(branches.enter(main({ claims: { ...main().claims, branch: 'br_1' } }))).toMatchObject({ id: 'br_1' })
})

test('another tenant sees none of it', () => {
  const { open, options } = setUp()
  open()
  const { branches } = setUp({ store: options.store, tenant: 'other' })
  expect(branches.find('br_1')).toBeUndefined()
  expect(branches.list(10)).toEqual([])
  expect(branches.openIn('session-1')).toEqual([])
  const named = main({ claims: { attested: { agent: 'main' }, branch: 'br_1' } })
  expect(branches.enter(named)).toMatchObject({ error: { code: 'BRANCH_NOT_FOUND' } })
})

test('nested branches end with the enclosing one, innermost first', () => {
  const { branches, open, end, spend } = setUp()
  open()
  spend(main(), 10, 110)
  open()
  spend(main(), 20, 220)
  open()
  const named = main({ claims: { attested: { agent: 'main' }, branch: 'br_1' } })
  expect(end(named)).toMatchObject({ branch: { id: 'br_1' }, closedInside: 2, keptOut: 300 })
  expect(branches.list(10).map(({ id, state, message }) => [id, state, message])).toEqual([
    ['br_3', 'closed', ''],
    ['br_2', 'closed', ''],
    ['br_1', 'returned', 'done'],
  ])
})

test('a returned message is charged to the enclosing branch', () => {
  const { branches, open, end } = setUp()
  open()
  open()
  end()
  expect((branches.usageOf('br_2') as BranchUsage).id).toBe('br_1')
  end()
  expect(branches.usageOf('br_2')).toBeUndefined()
  expect(branches.usageOf('br_unknown')).toBeUndefined()
})

test('several branches opened in a row for several subagents do not end each other', () => {
  const { branches, open, end, where } = setUp()
  open()
  open()
  expect(branches.find('br_2')).toMatchObject({ parent: 'br_1', depth: 2 })
  expect([where(sub('a1', 'br_1')), where(sub('a2', 'br_2'))]).toEqual(['br_1', 'br_2'])
  expect(branches.find('br_2')).toMatchObject({ depth: 1 })
  expect(end(sub('a1'))).toMatchObject({ closedInside: 0 })
  expect(where(sub('a2'))).toBe('br_2')
})

test('limits are reported', () => {
  const { open, spend, clock } = setUp({ limits: { budget: 1000, depth: 2, open: 3, minutes: 10 } })
  expect(problemOf(() => open(main(), { budget: 32_769 }))).toContain('256 to 32768')
  expect(problemOf(() => open(main(), { budget: 255 }))).toContain('256 to 32768')
  expect(problemOf(() => open(main(), { timeout: 601 }))).toContain('1 to 600')
  expect(problemOf(() => open(main(), { timeout: 0 }))).toContain('1 to 600')
  expect(open(main(), { timeout: 60 }).ends).toBe(clock.now + 60_000)
  spend(main(), 400)
  expect(problemOf(() => open(main(), { budget: 601 }))).toContain('256 to 600')
  expect(open(main())).toMatchObject({ budget: 600, depth: 2, ends: clock.now + 60_000 })
  expect(problemOf(() => open(main()))).toContain('maximum depth is 2')
  open(main({ claims: {}, principal: { agent: 'other', level: 'declared' } }))
  expect(problemOf(() => open(sub('a9')))).toContain('3 branches are open')
})

test('a parent with almost no budget left opens no branch', () => {
  const { open, spend } = setUp()
  open(main(), { budget: 1000 })
  spend(main(), 745)
  expect(problemOf(() => open())).toContain('255 tokens left')
})

test('a branch times out exactly at its deadline, and its usage stays available', () => {
  const { branches, open, spend, where, clock } = setUp()
  open(main(), { timeout: 60 })
  spend(main(), 123)
  clock.now += 59_999
  expect(where(main())).toBe('br_1')
  clock.now += 1
  expect(where(main())).toBeUndefined()
  expect(branches.find('br_1')).toMatchObject({ state: 'timeout', used: 123, ended: 1_060_000 })
})

test('an abandoned branch is closed when it is listed', () => {
  const { branches, open, clock } = setUp()
  open()
  clock.now += 31 * 60_000
  expect(branches.find('br_1')?.state).toBe('timeout')
  expect(branches.list(1)[0]?.state).toBe('timeout')
})

test('after a crash, a reconnecting caller is still in its branch', () => {
  const { open, spend, options } = setUp()
  open()
  spend(main(), 5000)
  const again = setUp({ store: options.store })
  expect(again.branches.enter(main())).toEqual({ id: 'br_1', budget: 8192, used: 5000, isOwn: true })
})

test('the end of a session closes only its own branches', () => {
  const { branches, open } = setUp()
  open()
  open(main({ session: 'session-2' }))
  branches.endSession('session-1')
  expect(branches.list(10).map(({ session, state }) => [session, state])).toEqual([
    ['session-2', 'open'],
    ['session-1', 'closed'],
  ])
})

test('old branches are deleted', () => {
  const { branches, open, clock } = setUp()
  open()
  clock.now += 1000
  open()
  expect(branches.prune(clock.now)).toBe(1)
  expect(branches.list(10).map(({ id }) => id)).toEqual(['br_2'])
})
