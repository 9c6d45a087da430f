import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { temporaryFolder, temporaryStore } from '../../../test/support/audit.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import { migrations } from './migrations.ts'
import { loadDriver } from './sqlite.ts'
import { openStore, type Store } from './store.ts'

const scope = { tenant: 'local', project: '/shop', session: 's1', agent: 'main' }
const ref = (id: string, size = 10) => ({ id, body: Buffer.alloc(size, 'x'), created_at: 1, expires_at: 2 })

function failureOf(work: () => unknown): ContextdError {
  try {
    work()
  } catch (error) {
    if (error instanceof CodedError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

describe('the files', () => {
  test('are accessible by their owner only, including side files', () => {
    const path = join(temporaryFolder(), 'deep', 'state', 'contextd.db')
    const store = openStore(path)
    store.rows('refs', scope).insert(ref('r1'))
    const modes = [dirname(path), path, `${path}-wal`, `${path}-shm`].map(modeOf)
    expect(modes).toEqual(['700', '600', '600', '600'])
    store.close()
  })

  test('become private if they were not', () => {
    const path = join(temporaryFolder(), 'contextd.db')
    writeFileSync(path, '')
    chmodSync(path, 0o644)
    openStore(path).close()
    expect(modeOf(path)).toBe('600')
  })

  test('keep their rows across reopening', () => {
    const path = join(temporaryFolder(), 'contextd.db')
    const first = openStore(path)
    first.rows('refs', scope).insert(ref('r1'))
    first.close()
    const second = openStore(path)
    expect(second.rows('refs', scope).all()).toHaveLength(1)
    second.close()
  })

  test.each([
    ['normal', 1],
    ['full', 2],
  ] as const)('are written with durability %s', (durability, synchronous) => {
    const store = openStore(join(temporaryFolder(), 'contextd.db'), { durability })
    expect(store.prepare('PRAGMA synchronous').get()).toEqual({ synchronous })
    expect(store.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' })
    store.close()
  })
})

describe('a file of a newer contextd', () => {
  /** With the last writes still in the WAL, as after a killed process. */
  function newerFile(version: number): string {
    const folder = temporaryFolder()
    const original = openStore(join(folder, 'original.db'))
    original.prepare(`PRAGMA user_version = ${version}`).run()
    const path = join(folder, 'copy.db')
    copyFileSync(original.path, path)
    copyFileSync(`${original.path}-wal`, `${path}-wal`)
    original.close()
    return path
  }

  test('is rejected and not modified', () => {
    const path = newerFile(migrations.length + 1)
    const before = [path, `${path}-wal`].map((file) => readFileSync(file))
    const error = failureOf(() => openStore(path))
    expect(error.code).toBe('STORE_TOO_NEW')
    expect(error.details).toEqual({ found: migrations.length + 1, known: migrations.length })
    expect([path, `${path}-wal`].map((file) => readFileSync(file))).toEqual(before)
  })

  test('is distinguished from one of this version', () => {
    openStore(newerFile(migrations.length)).close()
  })
})

describe('an unusable store says why and is not modified', () => {
  /** Enough rows for many pages, all in the main file. */
  function bigFile(): string {
    const path = join(temporaryFolder(), 'contextd.db')
    const store = openStore(path)
    const rows = store.rows('refs', scope)
    for (let i = 0; i < 100; i++) rows.insert(ref(`r${i}`, 2000))
    store.prepare('PRAGMA wal_checkpoint(truncate)').get()
    store.close()
    return path
  }

  const readAll = (path: string): unknown => {
    const store = openStore(path)
    try {
      return store.rows('refs', scope).all().length
    } finally {
      store.close()
    }
  }

  test.each([
    ['an overwritten header', (bytes: Buffer) => bytes.fill('garbage ', 0, 100)],
    ['a destroyed schema', (bytes: Buffer) => bytes.fill(0xff, 100, 4096)],
    ['overwritten pages in the middle', (bytes: Buffer) => bytes.fill('garbage ', 4096, bytes.length)],
    ['something else entirely', (bytes: Buffer) => bytes.fill('not a database at all\n')],
  ])('after %s', (_, damage) => {
    const path = bigFile()
    expect(readAll(path)).toBe(100)
    const damaged = damage(readFileSync(path))
    writeFileSync(path, damaged)
    const error = failureOf(() => readAll(path))
    expect(error.code).toBe('STORE_UNAVAILABLE')
    expect(error.message).toMatch(/damaged/)
    expect(readFileSync(path).equals(damaged)).toBe(true)
  })

  test('after losing its second half', () => {
    const path = bigFile()
    truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096)
    const size = statSync(path).size
    expect(failureOf(() => readAll(path)).message).toMatch(/damaged/)
    expect(statSync(path).size).toBe(size)
  })

  test('if the folder cannot be created', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'mine')
    const error = failureOf(() => openStore(join(file, 'contextd.db')))
    expect(error.code).toBe('STORE_UNAVAILABLE')
    expect(error.message).toContain('not a folder')
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  test('if there is a folder in its place', () => {
    const path = join(temporaryFolder(), 'contextd.db')
    mkdirSync(path)
    const error = failureOf(() => openStore(path))
    expect(error.message).toContain('cannot be opened')
    expect(existsSync(path)).toBe(true)
  })

  test('if it belongs to another program', () => {
    const path = join(temporaryFolder(), 'places.db')
    const { DatabaseSync } = loadDriver()
    const other = new DatabaseSync(path)
    other.exec('CREATE TABLE bookmarks (url TEXT)')
    other.close()
    const before = readFileSync(path)
    expect(failureOf(() => openStore(path)).message).toContain('another program')
    expect(readFileSync(path).equals(before)).toBe(true)
  })
})

test('a snapshot stays consistent while others write', () => {
  const store = temporaryStore()
  const other = openStore(store.path)
  const count = (): number => store.rows('refs', scope).all().length
  store.snapshot(() => {
    expect(count()).toBe(0)
    other.rows('refs', scope).insert(ref('r1'))
    expect(count()).toBe(0)
  })
  expect(count()).toBe(1)
  other.close()
})

test('foreignWrites counts only writes of other processes', () => {
  const path = join(temporaryFolder(), 'contextd.db')
  const store = openStore(path)
  const before = store.foreignWrites()
  store.rows('refs', scope).insert(ref('mine'))
  expect(store.foreignWrites()).toBe(before)
  const other = openStore(path)
  other.rows('refs', scope).insert(ref('theirs'))
  expect(store.foreignWrites()).not.toBe(before)
  other.close()
  store.close()
})

describe('a write that fails', () => {
  const insert = (store: Store, id: string, size?: number): void =>
    store.transaction(() => store.rows('refs', scope).insert(ref(id, size)))
  const count = (store: Store): number => store.rows('refs', scope).all().length

  test('because the disk is full loses no data, and works again once there is space', () => {
    const store = temporaryStore()
    insert(store, 'before')
    const limit = (pages: number): unknown => store.prepare(`PRAGMA max_page_count = ${pages}`).get()
    const { page_count: pages } = store.prepare('PRAGMA page_count').get() ?? {}
    limit(Number(pages) + 2)
    const error = failureOf(() => {
      for (let i = 0; i < 100; i++) insert(store, `r${i}`, 3000)
    })
    expect(error.code).toBe('STORE_UNAVAILABLE')
    expect(error.message).toContain('the disk is full')
    expect(store.rows('refs', scope).first({ id: 'before' })).toBeDefined()
    expect(store.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' })
    limit(1_000_000)
    insert(store, 'after', 3000)
    expect(store.rows('refs', scope).first({ id: 'after' })).toBeDefined()
  })

  test('because the store is read-only says so', () => {
    const store = temporaryStore()
    store.prepare('PRAGMA query_only = on').run()
    expect(failureOf(() => insert(store, 'r1')).message).toContain('read-only')
    store.prepare('PRAGMA query_only = off').run()
    insert(store, 'r1')
    expect(count(store)).toBe(1)
  })

  test('because another process holds the lock says so', () => {
    const store = temporaryStore()
    const other = openStore(store.path)
    store.prepare('PRAGMA busy_timeout = 1').get()
    other.transaction(() =>
      expect(failureOf(() => insert(store, 'r1')).message).toContain('locked for too long'),
    )
    insert(store, 'r1')
    expect(count(other)).toBe(1)
    other.close()
  })

  test('halfway is rolled back completely', () => {
    const store = temporaryStore()
    const work = (): void =>
      store.transaction(() => {
        store.rows('refs', scope).insert(ref('r1'))
        throw new Error('in the middle')
      })
    expect(work).toThrow('in the middle')
    expect(count(store)).toBe(0)
    insert(store, 'r1')
    expect(count(store)).toBe(1)
  })

  test('against a constraint is our own bug and stays unchanged', () => {
    const store = temporaryStore()
    insert(store, 'r1')
    expect(() => insert(store, 'r1')).toThrow('UNIQUE')
  })
})

test('atomically() joins an open transaction, or starts its own', () => {
  const store = temporaryStore()
  const rows = store.rows('usage', { tenant: 't', project: 'p', session: 's', agent: 'a' })
  const failing = (): never => {
    rows.put({ tokens: 1 })
    throw new Error('no')
  }
  expect(() => store.atomically(failing)).toThrow('no')
  expect(rows.first()).toBeUndefined()
  expect(() =>
    store.transaction(() => {
      store.atomically(() => rows.put({ tokens: 2 }))
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(rows.first()).toBeUndefined()
  store.atomically(() => rows.put({ tokens: 3 }))
  expect(rows.first()).toMatchObject({ tokens: 3 })
})
