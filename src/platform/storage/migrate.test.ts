import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations.ts'
import { loadDriver, type Database, type SqlRow } from './sqlite.ts'
import { openStore, type Store } from './store.ts'

function open(path: string): Database {
  const { DatabaseSync } = loadDriver()
  const database = new DatabaseSync(path)
  onTestFinished(() => {
    try {
      database.close()
    } catch {
      // Closed by the test.
    }
  })
  return database
}

const schemaOf = (database: Pick<Store, 'prepare'>): SqlRow[] =>
  database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all()

/** One row in every table, for any columns. */
function fill(database: Database): Record<string, SqlRow[]> {
  const filled: Record<string, SqlRow[]> = {}
  const tables = database.prepare(
    // Except those of full-text search, which SQLite manages.
    "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name NOT LIKE 'sqlite_%'",
  )
  for (const name of tables.all().map((table) => String(table.name))) {
    const columns = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(name)
    const values = columns.map(({ type }) => (type === 'TEXT' ? 'x' : type === 'BLOB' ? Buffer.from('x') : 1))
    const places = values.map(() => '?').join(', ')
    database.prepare(`INSERT INTO ${name} VALUES (${places})`).run(...values)
    filled[name] = database.prepare(`SELECT * FROM ${name}`).all()
  }
  return filled
}

describe.each(migrations.map((_, version) => version))('a file of version %i', (version) => {
  test('is migrated to the current schema and keeps its rows', () => {
    const folder = temporaryFolder()
    const path = join(folder, 'old.db')
    const old = open(path)
    if (version > 0) migrate(old, path, migrations.slice(0, version))
    const rows = fill(old)
    old.close()

    const store = openStore(path)
    const fresh = openStore(join(folder, 'new.db'))
    expect(schemaOf(store)).toEqual(schemaOf(fresh))
    expect(store.prepare('PRAGMA user_version').get()).toEqual({ user_version: migrations.length })
    for (const [name, before] of Object.entries(rows)) {
      expect(store.prepare(`SELECT * FROM ${name}`).all()).toEqual(
        before.map((row) => expect.objectContaining(row)),
      )
    }
    store.close()
    fresh.close()
  })
})

describe('migrating', () => {
  const steps = [
    'CREATE TABLE a (x TEXT) STRICT; INSERT INTO a VALUES (1)',
    'ALTER TABLE a ADD COLUMN y TEXT',
    'CREATE TABLE b (z TEXT) STRICT',
  ]

  test.each([0, 1, 2, 3])('from version %i runs only the missing migrations', (version) => {
    const database = open(':memory:')
    migrate(database, '', steps.slice(0, version))
    migrate(database, '', steps)
    expect(database.prepare('SELECT x, y FROM a').all()).toEqual([{ x: '1', y: null }])
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 3 })
  })

  test('a failing step leaves the file unchanged, inside a transaction', () => {
    const database = open(':memory:')
    migrate(database, '', steps.slice(0, 1))
    const before = schemaOf(database)
    database.exec('BEGIN')
    expect(() => migrate(database, '', [...steps, 'CREATE TABLE a (x TEXT)'])).toThrow('already exists')
    database.exec('ROLLBACK')
    expect(schemaOf(database)).toEqual(before)
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
  })

  test('rejects the database of another program', () => {
    const database = open(':memory:')
    database.exec('CREATE TABLE bookmarks (url TEXT)')
    const before = schemaOf(database)
    expect(() => migrate(database, '/x/places.db', steps)).toThrow('another program')
    expect(schemaOf(database)).toEqual(before)
  })

  test('rejects an unknown version', () => {
    const database = open(':memory:')
    migrate(database, '', steps)
    expect(() => migrate(database, '', steps.slice(0, 2))).toThrow('schema 3, this one supports 2')
  })
})
