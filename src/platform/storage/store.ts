import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

import { CodedError } from '../../core/errors/errors.ts'
import { isBusy, storeError } from '../files/store-error.ts'
import { migrate, readSchemaVersion } from './migrate.ts'
import { migrations } from './migrations.ts'
import { scopedRows, type Rows } from './rows.ts'
import { loadDriver, type Database, type SqlRow, type SqlValue, type Statement } from './sqlite.ts'
import type { TableName, TableScope } from './tables.ts'

/** One SQLite file, shared by every process of this user. */
export interface Store {
  readonly path: string
  rows<T extends TableName>(table: T, scope: TableScope<T>): Rows<T>
  /** For data without an owner (the audit chain). Statements are cached and shared: long reads must use `iterate`. */
  prepare(sql: string): Omit<Statement, 'iterate'>
  /** Row by row from one consistent snapshot; of later writes, only this store's are visible. */
  iterate(sql: string, ...values: SqlValue[]): IterableIterator<SqlRow>
  /** Atomic and exclusive: other writers wait. */
  transaction<T>(work: () => T): T
  /** Joins the open transaction, or starts its own. */
  atomically<T>(work: () => T): T
  /** All reads see the file as of the first one, while others may write. */
  snapshot<T>(work: () => T): T
  /** Changes whenever another process has written to the file. */
  foreignWrites(): number
  close(): void
}

export interface StoreOptions {
  /** `normal` survives a killed process; `full` survives a power cut too, but flushes to disk on every write. */
  readonly durability?: 'normal' | 'full'
}

/** How long a writer waits for the lock. */
const busyTimeoutMs = 5000

export function openStore(path: string, { durability = 'normal' }: StoreOptions = {}): Store {
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw storeError(error, path)
    }
  }

  const database = attempt(() => {
    if (!createFile(path)) assertOwnStore(path)
    return openDatabase(path, durability)
  })

  const fresh = (sql: string): Statement => attempt(() => guardStatement(database.prepare(sql), attempt))
  const statements = new Map<string, Statement>()
  const prepare = (sql: string): Statement => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = fresh(sql)
      statements.set(sql, statement)
    }
    return statement
  }

  let isOpen = false
  const transaction: Store['transaction'] = (work) =>
    inTransaction(
      'BEGIN IMMEDIATE',
      (sql) => prepare(sql).run(),
      () => {
        isOpen = true
        try {
          return work()
        } finally {
          isOpen = false
        }
      },
    )

  return {
    path,
    rows: (table, scope) => scopedRows({ prepare, fresh }, table, scope),
    foreignWrites: () => prepare('PRAGMA data_version').get()?.data_version as number,
    prepare,
    iterate: (sql, ...values) => fresh(sql).iterate(...values),
    transaction,
    atomically: (work) => (isOpen ? work() : transaction(work)),
    snapshot: (work) => inTransaction('BEGIN', (sql) => prepare(sql).run(), work),
    close: () => database.close(),
  }
}

function openDatabase(path: string, durability: 'normal' | 'full'): Database {
  const { DatabaseSync } = loadDriver()
  const database = new DatabaseSync(path, { timeout: busyTimeoutMs })
  try {
    // When many processes open a new file concurrently, switching to WAL does not wait but fails with "busy".
    retryBusy(() => database.exec('PRAGMA journal_mode = wal'))
    database.exec(
      `PRAGMA synchronous = ${durability}; PRAGMA foreign_keys = on; PRAGMA trusted_schema = off; PRAGMA wal_autocheckpoint = 4000`,
    )
    if (retryBusy(() => readSchemaVersion(database, path, migrations.length)) < migrations.length) {
      retryBusy(() =>
        inTransaction(
          'BEGIN IMMEDIATE',
          (sql) => database.exec(sql),
          () => migrate(database, path, migrations),
        ),
      )
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function inTransaction<T>(begin: string, execute: (sql: string) => unknown, work: () => T): T {
  execute(begin)
  try {
    const value = work()
    execute('COMMIT')
    return value
  } catch (error) {
    try {
      execute('ROLLBACK')
    } catch {
      // After a full disk or a failed write, SQLite has already rolled back.
    }
    throw error
  }
}

/** Converts driver errors, and rejects text that the driver would truncate. */
function guardStatement(statement: Statement, attempt: <T>(work: () => T) => T): Statement {
  const checked = (values: SqlValue[]): SqlValue[] => {
    for (const value of values) {
      // One driver stores only the text before a NUL, so that two different owners could look the same.
      if (typeof value === 'string' && value.includes('\0'))
        throw new Error('text with a NUL cannot be stored')
    }
    return values
  }
  return {
    run: (...values) => attempt(() => statement.run(...checked(values))),
    get: (...values) => attempt(() => statement.get(...checked(values))),
    all: (...values) => attempt(() => statement.all(...checked(values))),
    *iterate(...values) {
      const rows = statement.iterate(...checked(values))
      try {
        yield* rows
      } catch (error) {
        attempt(() => {
          throw error
        })
      }
    },
  }
}

/**
 * Creates the file before SQLite does, readable by its owner only; SQLite uses the same mode for its side files.
 * Returns whether it was missing.
 */
function createFile(path: string): boolean {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    // Only ever creates: closing another handle of a file that SQLite has open in this process would drop its locks.
    closeSync(openSync(path, 'wx', 0o600))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  for (const name of [path, `${path}-wal`, `${path}-shm`]) {
    const found = statSync(name, { throwIfNoEntry: false })
    if (found?.isFile() && (found.mode & 0o077) !== 0) chmodSync(name, 0o600)
  }
  return false
}

/** Rejects a file that is not ours, through a read-only connection: closing a writable one can change it. */
function assertOwnStore(path: string): void {
  const { DatabaseSync } = loadDriver()
  let database: Database | undefined
  try {
    database = new DatabaseSync(path, { readOnly: true, timeout: busyTimeoutMs })
    readSchemaVersion(database, path, migrations.length)
  } catch (error) {
    // Other problems are reported when the file is opened for writing.
    if (error instanceof CodedError) throw error
  } finally {
    database?.close()
  }
}

function retryBusy<T>(work: () => T): T {
  const deadline = Date.now() + busyTimeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error
      sleep(5 + Math.random() * 20)
    }
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
