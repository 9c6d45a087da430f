import { ContextdError } from '../../core/errors/errors.ts'
import type { Database } from './sqlite.ts'

/** "ctxd" in the file's header distinguishes our files from those of other programs. */
const applicationId = 0x63747864

function readPragma(database: Database, name: string): number {
  return Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0])
}

/** The schema version of the file, 0 for a new one. Throws if the file is not ours. */
export function readSchemaVersion(database: Database, path: string, known: number): number {
  const isNew = readPragma(database, 'schema_version') === 0
  if (!isNew && readPragma(database, 'application_id') !== applicationId) {
    throw new ContextdError('STORE_UNAVAILABLE', {
      cause: `${path}: it is the database of another program`,
      path,
    })
  }
  const found = readPragma(database, 'user_version')
  if (found > known) throw new ContextdError('STORE_TOO_NEW', { found, known })
  return found
}

/** Migrates the file to the latest schema. Must run in a transaction, because another process may do the same. */
export function migrate(database: Database, path: string, migrations: readonly string[]): void {
  const version = readSchemaVersion(database, path, migrations.length)
  if (version === migrations.length) return
  for (const sql of migrations.slice(version)) database.exec(sql)
  database.exec(`PRAGMA user_version = ${migrations.length}; PRAGMA application_id = ${applicationId}`)
}
