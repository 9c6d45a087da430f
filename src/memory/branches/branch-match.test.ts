import { expect, test } from 'vitest'

import type { Branch } from './branch.ts'
import {
  descendantsOf,
  matchBranch,
  lastOpenBranch,
  separateSiblings,
  type BranchMatch,
} from './branch-match.ts'

const main = { key: '["main"]', isSubagent: false }
const sub = (instance: string) => ({ key: `["helper","${instance}"]`, isSubagent: true })

function branch(id: string, parts: Partial<Branch> = {}): Branch {
  return {
    id,
    session: 's1',
    depth: 1,
    opener: main.key,
    description: '',
    prompt: '',
    budget: 1000,
    used: 0,
    produced: 0,
    state: 'open',
    message: '',
    created: 0,
    ends: 1000,
    ...parts,
  }
}

const landed = (landing: BranchMatch | 'not-found' | undefined): string | undefined =>
  typeof landing === 'object' ? `${landing.branch.id}${landing.joins ? ' joined' : ''}` : landing

test('the opener of a branch is in it; others are not', () => {
  const open = [branch('a')]
  expect(landed(matchBranch(open, main, undefined))).toBe('a')
  expect(matchBranch(open, { key: '["other"]', isSubagent: false }, undefined)).toBeUndefined()
  expect(matchBranch([], main, undefined)).toBeUndefined()
})

test('the last branch opened is the top of the stack', () => {
  const open = [branch('a', { worker: main.key }), branch('b', { parent: 'a' })]
  expect(landed(matchBranch(open, main, undefined))).toBe('b')
})

test('a subagent joins the only waiting branch, and its opener leaves it', () => {
  expect(landed(matchBranch([branch('a')], sub('1'), undefined))).toBe('a joined')
  const taken = [branch('a', { worker: sub('1').key })]
  expect(landed(matchBranch(taken, sub('1'), undefined))).toBe('a')
  expect(matchBranch(taken, main, undefined)).toBeUndefined()
  expect(matchBranch(taken, sub('2'), undefined)).toBeUndefined()
})

test('if two are waiting, only the id decides', () => {
  const open = [branch('a'), branch('b', { parent: 'a' })]
  expect(matchBranch(open, sub('1'), undefined)).toBeUndefined()
  expect(landed(matchBranch(open, sub('1'), 'b'))).toBe('b joined')
})

test('a subagent does not join branches it opened itself, or in which their opener works', () => {
  expect(landed(matchBranch([branch('a', { opener: sub('1').key })], sub('1'), undefined))).toBe('a')
  expect(matchBranch([branch('a', { worker: main.key })], sub('1'), undefined)).toBeUndefined()
})

test('an id gives access to branches the caller opened or works in, or in which no one works yet', () => {
  const taken = [branch('a', { worker: sub('1').key })]
  expect(landed(matchBranch(taken, main, 'a'))).toBe('a')
  expect(landed(matchBranch(taken, sub('1'), 'a'))).toBe('a')
  expect(matchBranch(taken, sub('2'), 'a')).toBe('not-found')
  expect(matchBranch(taken, main, 'b')).toBe('not-found')
  expect(matchBranch([], main, 'a')).toBe('not-found')
  // Some callers cannot be told apart; such a subagent only has the id in its prompt.
  expect(landed(matchBranch([branch('a')], { key: '["other"]', isSubagent: false }, 'a'))).toBe('a joined')
})

test('return ends the last branch that the caller opened or works in, even if a subagent works in it', () => {
  const open = [branch('a', { worker: main.key }), branch('b', { parent: 'a', worker: sub('1').key })]
  expect(lastOpenBranch(open, main)?.id).toBe('b')
  expect(lastOpenBranch(open, sub('1'))?.id).toBe('b')
  expect(lastOpenBranch(open, sub('2'))).toBeUndefined()
})

test('descendants are listed innermost first', () => {
  const open = [
    branch('a'),
    branch('b', { parent: 'a' }),
    branch('c', { parent: 'b' }),
    branch('d', { parent: 'a' }),
    branch('e'),
  ]
  expect(descendantsOf(open, 'a').map(({ id }) => id)).toEqual(['c', 'b', 'd'])
  expect(descendantsOf(open, 'e')).toEqual([])
})

test('branches opened in a row for several subagents become siblings once joined', () => {
  const outer = branch('outer', { worker: main.key })
  const a = branch('a', { parent: 'outer', depth: 2 })
  const b = branch('b', { parent: 'a', depth: 3 })
  expect(separateSiblings([outer, a, b], a)).toEqual([{ id: 'b', parent: 'outer', depth: 2 }])
  expect(separateSiblings([outer, a, b], b)).toEqual([{ id: 'b', parent: 'outer', depth: 2 }])
  const alone = branch('a')
  const inside = branch('b', { parent: 'a', depth: 2 })
  expect(separateSiblings([alone, inside], inside)).toEqual([{ id: 'b', parent: undefined, depth: 1 }])
  expect(separateSiblings([alone, inside], alone)).toEqual([{ id: 'b', parent: undefined, depth: 1 }])
  // Someone works in the enclosing branch, so this one was really opened there.
  const worked = branch('a', { parent: 'outer', depth: 2, worker: main.key })
  expect(separateSiblings([outer, worked, b], b)).toEqual([])
})
