import type { SqlRow, SqlValue, Statement } from './sqlite.ts'
import { tables, type Column, type TableName, type TableScope } from './tables.ts'

export type Condition = SqlValue | { readonly atMost: number } | { readonly atLeast: number }
export type Where<T extends TableName> = { readonly [C in Column<T>]?: Condition }
export type Values<T extends TableName> = { readonly [C in Column<T>]?: SqlValue }

/** The rows of one owner. Every statement built here carries the scope; there is no other way to these tables. */
export interface Rows<T extends TableName> {
  insert(values: Values<T>): void
  /** Inserts, or replaces the row with the same key. */
  put(values: Values<T>): void
  all(where?: Where<T>, options?: { orderBy?: Column<T>; descending?: boolean; limit?: number }): SqlRow[]
  first(where?: Where<T>): SqlRow | undefined
  update(set: Values<T>, where?: Where<T>): number
  remove(where?: Where<T>): number
}

const ownerColumns = ['tenant', 'project', 'session', 'agent'] as const

export function scopedRows<T extends TableName>(
  prepare: (sql: string) => Statement,
  table: T,
  scope: TableScope<T>,
): Rows<T> {
  const { scope: demanded, columns } = tables[table]
  const known: ReadonlySet<string> = new Set(columns)
  const given: Record<string, SqlValue> = {}
  for (const column of ownerColumns) {
    const value = (scope as Record<string, string | undefined>)[column]
    if (value !== undefined) given[column] = value
    else if ((demanded as readonly string[]).includes(column)) {
      throw new Error(`${table} rows cannot be reached without a ${column}`)
    }
  }

  const checked = (name: string): string => {
    if (!known.has(name)) throw new Error(`${table} has no column ${name}`)
    return name
  }

  const clause = (where: object): { sql: string; values: SqlValue[] } => {
    const parts: string[] = []
    const values: SqlValue[] = []
    for (const [name, condition] of Object.entries({ ...where, ...given }) as [string, Condition][]) {
      const column = checked(name)
      if (condition === null) parts.push(`${column} IS NULL`)
      else if (typeof condition === 'object' && 'atMost' in condition) {
        parts.push(`${column} <= ?`)
        values.push(condition.atMost)
      } else if (typeof condition === 'object' && 'atLeast' in condition) {
        parts.push(`${column} >= ?`)
        values.push(condition.atLeast)
      } else {
        parts.push(`${column} = ?`)
        values.push(condition)
      }
    }
    return { sql: parts.join(' AND '), values }
  }

  const write = (verb: string, values: object): void => {
    // A row always has an owner; what the scope leaves open is stored as "nobody in particular".
    const row: Record<string, SqlValue> = { project: '', session: '', agent: '', ...values, ...given }
    const names = Object.keys(row).map(checked)
    prepare(`${verb} INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`).run(
      ...Object.values(row),
    )
  }

  return {
    insert: (values) => write('INSERT', values),
    put: (values) => write('INSERT OR REPLACE', values),
    all(where = {}, { orderBy, descending = false, limit } = {}) {
      const { sql, values } = clause(where)
      const order = orderBy === undefined ? '' : ` ORDER BY ${checked(orderBy)}${descending ? ' DESC' : ''}`
      const bound = limit === undefined ? '' : ` LIMIT ${Math.trunc(limit)}`
      return prepare(`SELECT * FROM ${table} WHERE ${sql}${order}${bound}`).all(...values)
    },
    first(where = {}) {
      const { sql, values } = clause(where)
      return prepare(`SELECT * FROM ${table} WHERE ${sql} LIMIT 1`).get(...values)
    },
    update(set, where = {}) {
      const { sql, values } = clause(where)
      const names = Object.keys(set).map((name) => `${checked(name)} = ?`)
      const changed = prepare(`UPDATE ${table} SET ${names.join(', ')} WHERE ${sql}`).run(
        ...(Object.values(set) as SqlValue[]),
        ...values,
      )
      return Number(changed.changes)
    },
    remove(where = {}) {
      const { sql, values } = clause(where)
      return Number(prepare(`DELETE FROM ${table} WHERE ${sql}`).run(...values).changes)
    },
  }
}
