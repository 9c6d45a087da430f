import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { matchMemories, putMemoryWords, removeMemoryWords, type MemoryWordQuery } from './memory-words.ts'
import type { Store } from './store.ts'

const nothing = { title: '', description: '', task: '', tags: '', content: '' }

interface Kept {
  readonly tenant?: string
  readonly project?: string
  readonly scope?: 'project' | 'user'
  readonly merged?: string
  readonly words: Partial<typeof nothing>
}

/** Answers the row. */
function keep(
  store: Store,
  { tenant = 'local', project = '/shop', scope = 'project', merged, words }: Kept,
): number {
  const rows = store.rows('memories', { tenant, project, session: 's1', agent: 'main' })
  const id = String(rows.all().length)
  rows.insert({
    ...nothing,
    ...words,
    id: `${project} ${id}`,
    scope,
    outcome: 'success',
    tags: '[]',
    sources: '[]',
    helped: 4,
    misled: 1,
    created_at: 1,
    changed_at: 1,
    merged_into: merged ?? null,
  })
  const seq = Number(rows.first({}, { orderBy: 'seq', descending: true })?.seq)
  putMemoryWords(store, seq, { ...nothing, ...words })
  return seq
}

const find = (store: Store, query: Partial<MemoryWordQuery> = {}) =>
  matchMemories(store, { tenant: 'local', expression: '"pool"', limit: 10, ...query })
const rowsOf = (store: Store, query?: Partial<MemoryWordQuery>): number[] =>
  find(store, query).hits.map(({ row }) => row)

/** Without company a word that is everywhere weighs nothing. */
function crowd(store: Store): void {
  for (let i = 0; i < 10; i++) keep(store, { words: { content: `something else number ${i}` } })
}

describe('whose memories are found', () => {
  function several() {
    const store = temporaryStore()
    const words = { content: 'the pool' }
    const mine = keep(store, { words })
    const users = keep(store, { scope: 'user', project: '/elsewhere', words })
    const other = keep(store, { project: '/other', words })
    const merged = keep(store, { merged: 'another', words })
    const foreign = keep(store, { tenant: 'team', words })
    return { store, mine, users, other, merged, foreign }
  }

  test('all of the tenant, and no one else’s', () => {
    const { store, mine, users, other, foreign } = several()
    expect(rowsOf(store)).toEqual([mine, users, other])
    expect(rowsOf(store, { tenant: 'team' })).toEqual([foreign])
    expect(rowsOf(store, { tenant: 'nobody' })).toEqual([])
  })

  test('only of the projects named; of the person’s own by the empty name', () => {
    const { store, mine, users, other } = several()
    expect(rowsOf(store, { projects: ['/shop'] })).toEqual([mine])
    expect(rowsOf(store, { projects: ['/shop', ''] })).toEqual([mine, users])
    expect(rowsOf(store, { projects: ['/shop', '/other'] })).toEqual([mine, other])
    expect(rowsOf(store, { projects: [''] })).toEqual([users])
    // What a person keeps for all projects is not of the one it was learned in.
    expect(rowsOf(store, { projects: ['/elsewhere'] })).toEqual([])
    expect(rowsOf(store, { projects: [] })).toEqual([])
  })
})

test('a memory is found behind any number of better ones that are not mine', () => {
  const store = temporaryStore()
  crowd(store)
  for (let i = 0; i < 100; i++) keep(store, { tenant: 'team', project: `/p${i}`, words: { title: 'pool' } })
  const mine = keep(store, { words: { content: 'of all that is said here a pool is the least' } })
  expect(rowsOf(store, { limit: 2 })).toEqual([mine])
})

describe('the order', () => {
  test('is by where the word stands', () => {
    const store = temporaryStore()
    crowd(store)
    const text = (field: keyof typeof nothing) => ({ ...nothing, content: 'a b c', [field]: 'pool b c' })
    const inContent = keep(store, { words: text('content') })
    const inTitle = keep(store, { words: text('title') })
    const inTask = keep(store, { words: text('task') })
    expect(rowsOf(store)).toEqual([inTitle, inTask, inContent])
  })

  test('is by how many words are shared, of all that match', () => {
    const store = temporaryStore()
    crowd(store)
    const one = keep(store, { words: { content: 'pool size' } })
    const both = keep(store, { words: { content: 'connection pool' } })
    const query = { expression: '"pool" OR "connection"' }
    expect(rowsOf(store, query)).toEqual([both, one])
    expect(rowsOf(store, { ...query, limit: 1 })).toEqual([both])
  })
})

test('a score near the attainable one is an answer to all of the question', () => {
  const store = temporaryStore()
  crowd(store)
  keep(store, { words: { content: 'the connection pool' } })
  const share = (expression: string): number => {
    const { hits, attainable } = find(store, { expression })
    return (hits[0]?.score ?? 0) / attainable
  }
  expect(share('"connection" OR "pool"')).toBeGreaterThan(0.7)
  // Two rare words that nobody used make it a third of the question.
  expect(share('"connection" OR "kerberos" OR "ticket"')).toBeLessThan(0.4)
})

test('words are replaced, and removed', () => {
  const store = temporaryStore()
  crowd(store)
  const row = keep(store, { words: { content: 'the pool' } })
  expect(rowsOf(store)).toEqual([row])
  putMemoryWords(store, row, { ...nothing, content: 'the lake' })
  expect(rowsOf(store)).toEqual([])
  expect(rowsOf(store, { expression: '"lake"' })).toEqual([row])
  removeMemoryWords(store, row)
  expect(rowsOf(store, { expression: '"lake"' })).toEqual([])
})
