import { expect, test } from 'vitest'

import type { Branch } from './branch.ts'
import { insideOf, landingOf, lastOpenBranch, moveApart, type Landing } from './landing.ts'

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

const landed = (landing: Landing | 'not-found' | undefined): string | undefined =>
  typeof landing === 'object' ? `${landing.branch.id}${landing.joins ? ' joined' : ''}` : landing

test('who opened a branch is in it; who did not is in none', () => {
  const open = [branch('a')]
  expect(landed(landingOf(open, main, undefined))).toBe('a')
  expect(landingOf(open, { key: '["other"]', isSubagent: false }, undefined)).toBeUndefined()
  expect(landingOf([], main, undefined)).toBeUndefined()
})

test('the last one opened is the top of the stack', () => {
  const open = [branch('a', { worker: main.key }), branch('b', { parent: 'a' })]
  expect(landed(landingOf(open, main, undefined))).toBe('b')
})

test('a subagent joins the only branch that waits for one, and its opener is not in it any more', () => {
  expect(landed(landingOf([branch('a')], sub('1'), undefined))).toBe('a joined')
  const taken = [branch('a', { worker: sub('1').key })]
  expect(landed(landingOf(taken, sub('1'), undefined))).toBe('a')
  expect(landingOf(taken, main, undefined)).toBeUndefined()
  expect(landingOf(taken, sub('2'), undefined)).toBeUndefined()
})

test('where two wait, only the id decides', () => {
  const open = [branch('a'), branch('b', { parent: 'a' })]
  expect(landingOf(open, sub('1'), undefined)).toBeUndefined()
  expect(landed(landingOf(open, sub('1'), 'b'))).toBe('b joined')
})

test('a subagent does not join what it opened itself, nor what its opener works in', () => {
  expect(landed(landingOf([branch('a', { opener: sub('1').key })], sub('1'), undefined))).toBe('a')
  expect(landingOf([branch('a', { worker: main.key })], sub('1'), undefined)).toBeUndefined()
})

test('an id opens what the caller opened, works in, or nobody works in yet; nothing else', () => {
  const taken = [branch('a', { worker: sub('1').key })]
  expect(landed(landingOf(taken, main, 'a'))).toBe('a')
  expect(landed(landingOf(taken, sub('1'), 'a'))).toBe('a')
  expect(landingOf(taken, sub('2'), 'a')).toBe('not-found')
  expect(landingOf(taken, main, 'b')).toBe('not-found')
  expect(landingOf([], main, 'a')).toBe('not-found')
  // Not everybody can be told apart; the id in its prompt is what such a subagent has.
  expect(landed(landingOf([branch('a')], { key: '["other"]', isSubagent: false }, 'a'))).toBe('a joined')
})

test('return ends the last one that the caller opened or works in, also where a subagent does', () => {
  const open = [branch('a', { worker: main.key }), branch('b', { parent: 'a', worker: sub('1').key })]
  expect(lastOpenBranch(open, main)?.id).toBe('b')
  expect(lastOpenBranch(open, sub('1'))?.id).toBe('b')
  expect(lastOpenBranch(open, sub('2'))).toBeUndefined()
})

test('what is inside comes innermost first', () => {
  const open = [
    branch('a'),
    branch('b', { parent: 'a' }),
    branch('c', { parent: 'b' }),
    branch('d', { parent: 'a' }),
    branch('e'),
  ]
  expect(insideOf(open, 'a').map(({ id }) => id)).toEqual(['c', 'b', 'd'])
  expect(insideOf(open, 'e')).toEqual([])
})

test('branches that were opened in a row for several subagents stand side by side once they are taken', () => {
  const outer = branch('outer', { worker: main.key })
  const a = branch('a', { parent: 'outer', depth: 2 })
  const b = branch('b', { parent: 'a', depth: 3 })
  expect(moveApart([outer, a, b], a)).toEqual([{ id: 'b', parent: 'outer', depth: 2 }])
  expect(moveApart([outer, a, b], b)).toEqual([{ id: 'b', parent: 'outer', depth: 2 }])
  const alone = branch('a')
  const inside = branch('b', { parent: 'a', depth: 2 })
  expect(moveApart([alone, inside], inside)).toEqual([{ id: 'b', parent: undefined, depth: 1 }])
  expect(moveApart([alone, inside], alone)).toEqual([{ id: 'b', parent: undefined, depth: 1 }])
  // Somebody works in the one around: that is where it was opened.
  const worked = branch('a', { parent: 'outer', depth: 2, worker: main.key })
  expect(moveApart([outer, worked, b], b)).toEqual([])
})
