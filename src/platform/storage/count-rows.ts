import type { SqlValue } from './sqlite.ts'
import type { Store } from './store.ts'
import { tables, type Column, type TableName } from './tables.ts'

/** The number of a tenant's rows in all projects and sessions: a count reveals nothing else about them. */
export function countRows<T extends TableName>(
  store: Pick<Store, 'prepare'>,
  table: T,
  tenant: string,
  where: { readonly [C in Column<T>]?: SqlValue } = {},
): number {
  const known: readonly string[] = tables[table].columns
  const parts = ['tenant = ?']
  const values: SqlValue[] = [tenant]
  for (const [column, value] of Object.entries(where) as [string, SqlValue][]) {
    if (!known.includes(column) || column === 'tenant')
      throw new Error(`${table} cannot be counted by ${column}`)
    parts.push(value === null ? `${column} IS NULL` : `${column} = ?`)
    if (value !== null) values.push(value)
  }
  const sql = `SELECT count(*) AS count FROM ${table} WHERE ${parts.join(' AND ')}`
  return Number(store.prepare(sql).get(...values)?.count ?? 0)
}
