import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { loadDriver, type Database } from '../../src/platform/storage/sqlite.ts'
import { openStore, type Store } from '../../src/platform/storage/store.ts'
import { createAuditLog, type AuditFiles, type AuditLog } from '../../src/stages/audit/log.ts'

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function temporaryStore(): Store {
  const store = openStore(join(temporaryFolder(), 'state', 'contextd.db'))
  onTestFinished(() => store.close())
  return store
}

export interface TestAudit {
  readonly files: AuditFiles
  readonly log: AuditLog
  /** Problems that the log reported. */
  readonly complaints: string[]
  /** Set it to change the time. */
  readonly clock: { now: number }
  /** Another process's view of the same chain. */
  readonly reopen: () => AuditLog
  /** Changes the database like an attacker who bypasses contextd. */
  readonly intruder: Database
}

export function temporaryAudit(): TestAudit {
  const store = temporaryStore()
  const folder = join(store.path, '..')
  const files = { store, keysDir: join(folder, 'keys'), headFile: join(folder, 'audit.head') }
  const complaints: string[] = []
  const clock = { now: 1_000_000 }
  const open = (): AuditLog =>
    createAuditLog({
      ...files,
      clock: () => clock.now,
      tenant: 'local',
      user: 'ada',
      report: (_, message, fields) => complaints.push(`${message}: ${JSON.stringify(fields)}`),
    })
  let intruder: Database | undefined
  return {
    files,
    log: open(),
    complaints,
    clock,
    reopen: open,
    get intruder() {
      intruder ??= breakIn(store.path)
      return intruder
    },
  }
}

/** Removes the trigger that forbids changes for each statement and restores it, so that no trace is left. */
function breakIn(path: string): Database {
  const { DatabaseSync } = loadDriver()
  const database = new DatabaseSync(path, { timeout: 5000 })
  onTestFinished(() => database.close())
  const trigger = database.prepare("SELECT sql FROM sqlite_master WHERE name = 'audit_append_only'").get()
  const unguarded = <T>(work: () => T): T => {
    database.exec('DROP TRIGGER audit_append_only')
    try {
      return work()
    } finally {
      database.exec(String(trigger?.sql))
    }
  }
  return {
    exec: (sql) => unguarded(() => database.exec(sql)),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        run: (...values) => unguarded(() => statement.run(...values)),
        get: (...values) => statement.get(...values),
        all: (...values) => statement.all(...values),
        iterate: (...values) => statement.iterate(...values),
      }
    },
    close: () => database.close(),
  }
}
