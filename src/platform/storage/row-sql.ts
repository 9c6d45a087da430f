/** SQL for the rows of one owner. Pure. Every statement that reaches existing rows names the owner's columns. */

import type { SqlValue } from './sqlite.ts'
import { owner, tables, type Column, type TableName, type TableScope } from './tables.ts'

/** Equal to a value, or within inclusive bounds. */
export type RowCondition = SqlValue | ValueRange
export interface ValueRange {
  readonly atLeast?: number | string | undefined
  readonly atMost?: number | string | undefined
}
export type Where<T extends TableName> = { readonly [C in Column<T>]?: RowCondition }
export type Values<T extends TableName> = { readonly [C in Column<T>]?: SqlValue }
export interface Order<T extends TableName> {
  readonly orderBy?: Column<T>
  readonly descending?: boolean
  readonly limit?: number
}

export interface BoundSql {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

export interface RowSql<T extends TableName> {
  insert(values: Values<T>): BoundSql
  /** Changes nothing if the row with the same key belongs to another owner. */
  upsert(values: Values<T>): BoundSql
  select(where: Where<T>, order: Order<T>): BoundSql
  update(set: Values<T>, where: Where<T>): BoundSql
  remove(where: Where<T>): BoundSql
}

export function rowSql<T extends TableName>(table: T, scope: TableScope<T>): RowSql<T> {
  const { columns, key } = tables[table]
  const known: ReadonlySet<string> = new Set(columns)
  const given = ownerValues(table, scope)

  const checked = (name: string): string => {
    if (!known.has(name)) throw new Error(`${table} has no column ${name}`)
    return name
  }

  const clause = (where: object): BoundSql => {
    const conditions = Object.entries({ ...where, ...given }) as [string, RowCondition][]
    const parts = conditions.flatMap(([name, condition]) => conditionSql(checked(name), condition))
    return {
      sql: parts.map(({ sql }) => sql).join(' AND '),
      values: parts.flatMap(({ values }) => values),
    }
  }

  /** A row always has an owner; columns that the scope leaves open are stored empty. */
  const insert = (values: object): BoundSql => {
    const row: Record<string, SqlValue> = { project: '', session: '', agent: '', ...values, ...given }
    const names = Object.keys(row).map(checked)
    return {
      sql: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      values: Object.values(row),
    }
  }

  return {
    insert,
    upsert(values) {
      const insertion = insert(values)
      const rest = columns.filter((column) => !(key as readonly string[]).includes(column))
      const replaced = rest.map((column) => `${column} = excluded.${column}`).join(', ')
      const own = clause({})
      return {
        sql: `${insertion.sql} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced} WHERE ${own.sql}`,
        values: [...insertion.values, ...own.values],
      }
    },
    select(where, { orderBy, descending = false, limit }) {
      const { sql, values } = clause(where)
      const order = orderBy === undefined ? '' : ` ORDER BY ${checked(orderBy)}${descending ? ' DESC' : ''}`
      const bound = limit === undefined ? '' : ' LIMIT ?'
      return {
        sql: `SELECT * FROM ${table} WHERE ${sql}${order}${bound}`,
        values: limit === undefined ? values : [...values, limit],
      }
    },
    update(set, where) {
      const names = Object.keys(set).map(checked)
      const ownerColumn = names.find((name) => (owner as readonly string[]).includes(name))
      if (ownerColumn !== undefined) throw new Error(`${table} rows cannot change their ${ownerColumn}`)
      const { sql, values } = clause(where)
      return {
        sql: `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${sql}`,
        values: [...(Object.values(set) as SqlValue[]), ...values],
      }
    },
    remove(where) {
      const { sql, values } = clause(where)
      return { sql: `DELETE FROM ${table} WHERE ${sql}`, values }
    },
  }
}

/** The owner columns that the scope names. Throws if one is missing that the table requires. */
function ownerValues<T extends TableName>(table: T, scope: TableScope<T>): Record<string, SqlValue> {
  const required: readonly string[] = tables[table].scope
  const given: Record<string, SqlValue> = {}
  for (const column of owner) {
    const value = (scope as Record<string, string | undefined>)[column]
    if (value !== undefined) given[column] = value
    else if (required.includes(column)) throw new Error(`${table} rows cannot be reached without a ${column}`)
  }
  return given
}

/** An open range matches any value. */
function conditionSql(column: string, condition: RowCondition): BoundSql[] {
  if (condition === null) return [{ sql: `${column} IS NULL`, values: [] }]
  if (typeof condition !== 'object' || condition instanceof Uint8Array) {
    return [{ sql: `${column} = ?`, values: [condition] }]
  }
  const { atLeast, atMost } = condition
  return [
    ...(atLeast === undefined ? [] : [{ sql: `${column} >= ?`, values: [atLeast] }]),
    ...(atMost === undefined ? [] : [{ sql: `${column} <= ?`, values: [atMost] }]),
  ]
}
