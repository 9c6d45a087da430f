import { readFileSync, readdirSync } from 'node:fs'
import { dirname } from 'node:path'

import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import type { Scope } from '../../core/call.ts'
import type { SqlRow } from './sqlite.ts'
import { owner, tables, type TableName } from './tables.ts'

const mine: Scope = { tenant: 'local', project: '/shop', session: 's1', agent: 'main' }
const others: Scope[] = owner.map((part) => ({ ...mine, [part]: 'other' }))
const ref = { id: 'r1', body: Buffer.from('text'), created_at: 1, expires_at: 2 }

describe('every table with rows', () => {
  const sorted = (names: readonly unknown[]): string[] => names.map(String).sort()

  test('is listed, so that it is only accessible within a scope', () => {
    const found = temporaryStore()
      .prepare("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
      .all()
    // Full-text indexes have no owner columns: they are joined with the table they index.
    const isWords = (name: unknown): boolean => /^(?:memory|chunk)_words(?:_|$)/.test(String(name))
    const names = found.map(({ name }) => name).filter((name) => !isWords(name))
    expect(sorted(names)).toEqual(sorted(Object.keys(tables)))
  })

  test('has the listed columns and key, and its owner columns are never null', () => {
    const columnsOf = temporaryStore().prepare(
      'SELECT name, "notnull" AS filled, pk FROM pragma_table_info(?)',
    )
    for (const [name, { columns, scope, key }] of Object.entries(tables)) {
      const found = columnsOf.all(name)
      expect(sorted(found.map((column) => column.name)), name).toEqual(sorted(columns))
      expect(scope, name).toContain('tenant')
      if (name === 'audit_entries') continue
      for (const part of owner) {
        expect(found, name).toContainEqual(expect.objectContaining({ name: part, filled: 1 }))
      }
      const primary = found.filter(({ pk }) => Number(pk) > 0).sort((a, b) => Number(a.pk) - Number(b.pk))
      expect(
        primary.map((column) => column.name),
        name,
      ).toEqual(key)
    }
  })
})

test('the reference documents every table, its key and its scope', () => {
  const page = readFileSync(new URL('../../../docs/reference/storage.md', import.meta.url), 'utf8')
  const described = [...page.matchAll(/^\| `(\w+)` \| ([\w, ]+) \| ([\w, ]+) \|/gm)].map(
    ([, ...cells]) => cells,
  )
  const listed = Object.entries(tables).map(([name, { key, scope }]) => [
    name,
    key.join(', '),
    scope.join(', '),
  ])
  expect(described).toEqual(listed)
})

test('only storage and the audit chain bypass the scopes', () => {
  const sources = new URL('../../', import.meta.url)
  const past = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .filter((path) => /\bstore\s*\.(?:prepare|iterate)\(/.test(readFileSync(new URL(path, sources), 'utf8')))
    .map((path) => dirname(path))
  expect([...new Set(past)].sort()).toEqual(['platform/storage', 'stages/audit'])
})

describe('a scope', () => {
  test.each(
    Object.entries(tables).flatMap(([name, { scope }]) => scope.map((part) => [name, part] as const)),
  )('of %s cannot leave out the %s', (name, part) => {
    const store = temporaryStore()
    const { [part]: _, ...incomplete } = mine
    expect(() => store.rows(name as TableName, incomplete as Scope)).toThrow(part)
    expect(() => store.rows(name as TableName, mine)).not.toThrow()
  })

  test('hides the rows of every other tenant, project, session and agent', () => {
    const store = temporaryStore()
    store.rows('refs', mine).insert(ref)
    for (const other of others) {
      const rows = store.rows('refs', other)
      expect(rows.first({ id: 'r1' })).toBeUndefined()
      expect(rows.all()).toEqual([])
      expect([...rows.iterate()]).toEqual([])
      expect(rows.update({ expires_at: 99 })).toBe(0)
      expect(rows.remove({ id: 'r1' })).toBe(0)
    }
    const rows = store.rows('refs', mine)
    expect(rows.first({ id: 'r1' })).toMatchObject({ ...mine, expires_at: 2 })
    expect(rows.update({ expires_at: 99 })).toBe(1)
    expect(rows.remove({ id: 'r1' })).toBe(1)
  })

  test('takes precedence over a condition or value that names another owner', () => {
    const store = temporaryStore()
    store.rows('refs', mine).insert({ ...ref, agent: 'other', tenant: 'other' })
    expect(store.rows('refs', mine).first({ tenant: 'other' })).toMatchObject(mine)
    expect(store.rows('refs', { ...mine, tenant: 'other' }).all()).toEqual([])
  })

  test('cannot be left by an update', () => {
    const rows = temporaryStore().rows('refs', mine)
    rows.insert(ref)
    expect(() => rows.update({ tenant: 'other' })).toThrow('tenant')
    expect(rows.update({ id: 'r2' })).toBe(1)
  })

  test('distinguishes owners that a driver would confuse', () => {
    const store = temporaryStore()
    store.rows('refs', mine).insert(ref)
    const alike = store.rows('refs', { ...mine, session: 's1\0' })
    expect(() => alike.first({ id: 'r1' })).toThrow('NUL')
  })

  test('may be wider than the row, whose remaining owner columns are then empty', () => {
    const store = temporaryStore()
    store.rows('trust', { tenant: 'local' }).insert({ path: '/a', sha256: 'x', trusted_at: 1 })
    expect(store.rows('trust', { tenant: 'local' }).first()).toMatchObject({
      project: '',
      session: '',
      agent: '',
    })
  })
})

describe('put', () => {
  test('replaces an owned row completely', () => {
    const rows = temporaryStore().rows('agent_tokens', { tenant: 'local', agent: 'main' })
    const token = { id: 't1', hash: Buffer.from('h'), label: 'ci', created_at: 1 }
    rows.put({ ...token, used_at: 5 })
    rows.put({ ...token, label: 'new' })
    expect(rows.all()).toEqual([expect.objectContaining({ label: 'new', used_at: null })])
  })

  test('never replaces the row of another owner', () => {
    const store = temporaryStore()
    const hers = store.rows('trust', { tenant: 'local', project: '/hers' })
    const his = store.rows('trust', { tenant: 'local', project: '/his' })
    hers.put({ path: '/x', sha256: 'aa', trusted_at: 1 })
    expect(() => his.put({ path: '/x', sha256: 'bb', trusted_at: 2 })).toThrow('another owner')
    expect(hers.first()).toMatchObject({ sha256: 'aa' })
    hers.put({ path: '/x', sha256: 'cc', trusted_at: 3 })
    expect(hers.first()).toMatchObject({ sha256: 'cc' })
  })
})

describe('reading', () => {
  const filled = () => {
    const rows = temporaryStore().rows('refs', mine)
    for (const id of [1, 2, 3, 4]) rows.insert({ ...ref, id: `r${id}`, created_at: id })
    return rows
  }
  const ids = (rows: Iterable<SqlRow>) => [...rows].map(({ id }) => id)

  test('supports bounds, order and limit', () => {
    const rows = filled()
    expect(ids(rows.all({ created_at: { atLeast: 2, atMost: 3 } }, { orderBy: 'created_at' }))).toEqual([
      'r2',
      'r3',
    ])
    expect(ids(rows.all({}, { orderBy: 'created_at', descending: true, limit: 2 }))).toEqual(['r4', 'r3'])
    expect(ids(rows.iterate({ created_at: { atMost: 1 } }))).toEqual(['r1'])
    expect(rows.first({}, { orderBy: 'created_at', descending: true })).toMatchObject({ id: 'r4' })
  })

  test('row by row continues while the same query runs again, and can end early', () => {
    const rows = filled()
    const seen: unknown[] = []
    for (const row of rows.iterate({}, { orderBy: 'created_at' })) {
      seen.push(row.id)
      expect(ids(rows.iterate({}, { orderBy: 'created_at' }))).toHaveLength(4)
      if (seen.length === 3) break
    }
    expect(seen).toEqual(['r1', 'r2', 'r3'])
    expect(rows.remove()).toBe(4)
  })

  test('rejects unknown columns', () => {
    const rows = filled()
    const wrong = 'id; DROP TABLE refs' as 'id'
    expect(() => rows.all({ [wrong]: 1 })).toThrow('no column')
    expect(() => rows.all({}, { orderBy: wrong })).toThrow('no column')
    expect(() => rows.insert({ [wrong]: 1 })).toThrow('no column')
    expect(() => rows.update({ [wrong]: 1 })).toThrow('no column')
    expect(rows.all()).toHaveLength(4)
  })
})

test('a sealed table is read-only', () => {
  const rows = temporaryStore().rows('audit', { tenant: 'local' })
  expect(() => rows.insert({ seq: 1 })).toThrow('cannot be changed')
  expect(() => rows.put({ seq: 1 })).toThrow('cannot be changed')
  expect(() => rows.update({ seq: 1 })).toThrow('cannot be changed')
  expect(() => rows.remove()).toThrow('cannot be changed')
  expect(rows.all()).toEqual([])
})
