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

/** Returns the row. */
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

/** A word that occurs in every text weighs nothing. */
function crowd(store: Store): void {
  for (let i = 0; i < 10; i++) keep(store, { words: { content: `something else number ${i}` } })
}

describe('ownership', () => {
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

  test("finds all of the tenant's memories, and no others", () => {
    const { store, mine, users, other, foreign } = several()
    expect(rowsOf(store)).toEqual([mine, users, other])
    expect(rowsOf(store, { tenant: 'team' })).toEqual([foreign])
    expect(rowsOf(store, { tenant: 'nobody' })).toEqual([])
  })

  test("finds only the given projects' memories; the empty name means user-wide ones", () => {
    const { store, mine, users, other } = several()
    expect(rowsOf(store, { projects: ['/shop'] })).toEqual([mine])
    expect(rowsOf(store, { projects: ['/shop', ''] })).toEqual([mine, users])
    expect(rowsOf(store, { projects: ['/shop', '/other'] })).toEqual([mine, other])
    expect(rowsOf(store, { projects: [''] })).toEqual([users])
    // A user-wide memory does not belong to the project it was learned in.
    expect(rowsOf(store, { projects: ['/elsewhere'] })).toEqual([])
    expect(rowsOf(store, { projects: [] })).toEqual([])
  })
})

test('finds a memory behind any number of better matches of other owners', () => {
  const store = temporaryStore()
  crowd(store)
  for (let i = 0; i < 100; i++) keep(store, { tenant: 'team', project: `/p${i}`, words: { title: 'pool' } })
  const mine = keep(store, { words: { content: 'of all that is said here a pool is the least' } })
  expect(rowsOf(store, { limit: 2 })).toEqual([mine])
})

describe('ranking', () => {
  test('depends on the field that contains the word', () => {
    const store = temporaryStore()
    crowd(store)
    const text = (field: keyof typeof nothing) => ({ ...nothing, content: 'a b c', [field]: 'pool b c' })
    const inContent = keep(store, { words: text('content') })
    const inTitle = keep(store, { words: text('title') })
    const inTask = keep(store, { words: text('task') })
    expect(rowsOf(store)).toEqual([inTitle, inTask, inContent])
  })

  test('depends on the number of shared words, among all matches', () => {
    const store = temporaryStore()
    crowd(store)
    const one = keep(store, { words: { content: 'pool size' } })
    const both = keep(store, { words: { content: 'connection pool' } })
    const query = { expression: '"pool" OR "connection"' }
    expect(rowsOf(store, query)).toEqual([both, one])
    expect(rowsOf(store, { ...query, limit: 1 })).toEqual([both])
  })
})

test('a score near the attainable one answers the whole question', () => {
  const store = temporaryStore()
  crowd(store)
  keep(store, { words: { content: 'the connection pool' } })
  const share = (expression: string): number => {
    const { hits, attainable } = find(store, { expression })
    return (hits[0]?.score ?? 0) / attainable
  }
  expect(share('"connection" OR "pool"')).toBeGreaterThan(0.7)
  // Two rare words that no text contains reduce it to a third.
  expect(share('"connection" OR "kerberos" OR "ticket"')).toBeLessThan(0.4)
})

test('words are replaced and removed', () => {
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
