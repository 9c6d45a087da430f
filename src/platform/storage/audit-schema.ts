import { migrations } from './migrations.ts'
import { loadDriver, type Statement } from './sqlite.ts'
import type { Store } from './store.ts'

/** A table, index, trigger or view. */
export interface SchemaObject {
  readonly type: string
  readonly name: string
}

interface Definition extends SchemaObject {
  readonly sql: string
}

/**
 * Everything that affects the audit contains its name, even a trigger on another table, or one that the schema lists
 * under a false type or name.
 */
const definitionsSql = `SELECT type, name, CAST(sql AS TEXT) AS sql FROM sqlite_master
  WHERE CAST(sql AS TEXT) LIKE '%audit%' ORDER BY type, name`

/** The audit's schema objects that differ from the migrations: added, changed or removed. */
export function changedAuditObjects(store: Store): SchemaObject[] {
  const found = readDefinitions(store.prepare(definitionsSql))
  const expected = expectedDefinitions()
  return [...missingFrom(expected, found), ...missingFrom(found, expected)]
}

/** The schema that the migrations create in an empty file. */
function expectedDefinitions(): Definition[] {
  const { DatabaseSync } = loadDriver()
  const database = new DatabaseSync(':memory:')
  try {
    for (const migration of migrations) database.exec(migration)
    return readDefinitions(database.prepare(definitionsSql))
  } finally {
    database.close()
  }
}

function readDefinitions(statement: Pick<Statement, 'all'>): Definition[] {
  return statement.all() as unknown as Definition[]
}

function missingFrom(others: readonly Definition[], definitions: readonly Definition[]): Definition[] {
  return definitions.filter(
    ({ type, name, sql }) =>
      !others.some((other) => other.type === type && other.name === name && other.sql === sql),
  )
}
