import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

import { ContextdError } from '../../core/errors.ts'
import { migrations } from './migrations.ts'
import { scopedRows, type Rows } from './rows.ts'
import { loadDriver, type Statement } from './sqlite.ts'
import type { TableName, TableScope } from './tables.ts'

/** One SQLite file, shared by every process of this user. */
export interface Store {
  readonly path: string
  rows<T extends TableName>(table: T, scope: TableScope<T>): Rows<T>
  /** For tables that are no one's rows (the audit chain). */
  prepare(sql: string): Statement
  /** All or nothing, and alone: other writers wait. */
  transaction<T>(work: () => T): T
  close(): void
}

export function openStore(path: string): Store {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const { DatabaseSync } = loadDriver()
  const database = new DatabaseSync(path, { timeout: 5000 })
  database.exec('PRAGMA journal_mode = wal; PRAGMA synchronous = normal; PRAGMA foreign_keys = on')

  const statements = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = database.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
  const transaction = <T>(work: () => T): T => {
    database.exec('BEGIN IMMEDIATE')
    try {
      const value = work()
      database.exec('COMMIT')
      return value
    } catch (error) {
      database.exec('ROLLBACK')
      throw error
    }
  }

  const versionOf = (): number => Number(database.prepare('PRAGMA user_version').get()?.user_version)
  if (versionOf() > migrations.length) {
    const found = versionOf()
    database.close()
    throw new ContextdError('STORE_TOO_NEW', { found, known: migrations.length })
  }
  if (versionOf() < migrations.length) {
    transaction(() => {
      for (const sql of migrations.slice(versionOf())) database.exec(sql)
      database.exec(`PRAGMA user_version = ${migrations.length}`)
    })
  }

  return {
    path,
    rows: (table, scope) => scopedRows(prepare, table, scope),
    prepare,
    transaction,
    close: () => database.close(),
  }
}
