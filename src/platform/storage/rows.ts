import type { SqlRow, SqlValue, Statement } from './sqlite.ts'
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

/** The rows of one owner. Every statement built here includes the scope; these tables cannot be accessed otherwise. */
export interface Rows<T extends TableName> {
  insert(values: Values<T>): void
  /** Inserts, or replaces the row with the same key. */
  put(values: Values<T>): void
  all(where?: Where<T>, order?: Order<T>): SqlRow[]
  /** Like `all`, but row by row, for long results. */
  iterate(where?: Where<T>, order?: Order<T>): IterableIterator<SqlRow>
  first(where?: Where<T>, order?: Order<T>): SqlRow | undefined
  update(set: Values<T>, where?: Where<T>): number
  remove(where?: Where<T>): number
}

interface Statements {
  /** Cached and shared. */
  readonly prepare: (sql: string) => Statement
  /** For reads that stay open while other statements run. */
  readonly fresh: (sql: string) => Statement
}

export function scopedRows<T extends TableName>(
  { prepare, fresh }: Statements,
  table: T,
  scope: TableScope<T>,
): Rows<T> {
  const { scope: required, columns, key } = tables[table]
  const known: ReadonlySet<string> = new Set(columns)
  const given: Record<string, SqlValue> = {}
  for (const column of owner) {
    const value = (scope as Record<string, string | undefined>)[column]
    if (value !== undefined) given[column] = value
    else if ((required as readonly string[]).includes(column)) {
      throw new Error(`${table} rows cannot be reached without a ${column}`)
    }
  }

  const checked = (name: string): string => {
    if (!known.has(name)) throw new Error(`${table} has no column ${name}`)
    return name
  }

  const refuseSealed = (): void => {
    if ('sealed' in tables[table]) throw new Error(`${table} rows cannot be changed`)
  }

  const clause = (where: object): { sql: string; values: SqlValue[] } => {
    const parts: string[] = []
    const values: SqlValue[] = []
    for (const [name, condition] of Object.entries({ ...where, ...given }) as [string, RowCondition][]) {
      const column = checked(name)
      if (condition === null) parts.push(`${column} IS NULL`)
      else if (typeof condition === 'object' && !(condition instanceof Uint8Array)) {
        for (const [operator, bound] of [
          ['>=', condition.atLeast],
          ['<=', condition.atMost],
        ] as const) {
          if (bound === undefined) continue
          parts.push(`${column} ${operator} ?`)
          values.push(bound)
        }
      } else {
        parts.push(`${column} = ?`)
        values.push(condition)
      }
    }
    return { sql: parts.join(' AND '), values }
  }

  const select = (where: object, { orderBy, descending = false, limit }: Order<T>) => {
    const { sql, values } = clause(where)
    const order = orderBy === undefined ? '' : ` ORDER BY ${checked(orderBy)}${descending ? ' DESC' : ''}`
    const bound = limit === undefined ? '' : ' LIMIT ?'
    return {
      sql: `SELECT * FROM ${table} WHERE ${sql}${order}${bound}`,
      values: limit === undefined ? values : [...values, limit],
    }
  }

  /** A row always has an owner; columns that the scope leaves open are stored empty. */
  const insertion = (values: object): { sql: string; values: SqlValue[] } => {
    refuseSealed()
    const row: Record<string, SqlValue> = { project: '', session: '', agent: '', ...values, ...given }
    const names = Object.keys(row).map(checked)
    return {
      sql: `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      values: Object.values(row),
    }
  }

  return {
    insert(values) {
      const { sql, values: bound } = insertion(values)
      prepare(sql).run(...bound)
    },
    put(values) {
      const { sql, values: bound } = insertion(values)
      const rest = columns.filter((column) => !(key as readonly string[]).includes(column))
      const replaced = rest.map((column) => `${column} = excluded.${column}`).join(', ')
      // A row with the same key outside the scope belongs to someone else: it is not replaced, and the caller gets an
      // error.
      const ownScope = clause({})
      const upsert = `${sql} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced} WHERE ${ownScope.sql}`
      if (Number(prepare(upsert).run(...bound, ...ownScope.values).changes) === 0) {
        throw new Error(`${table} already has that row, of another owner`)
      }
    },
    all(where = {}, order = {}) {
      const { sql, values } = select(where, order)
      return prepare(sql).all(...values)
    },
    iterate(where = {}, order = {}) {
      const { sql, values } = select(where, order)
      return fresh(sql).iterate(...values)
    },
    first(where = {}, order = {}) {
      const { sql, values } = select(where, { ...order, limit: 1 })
      return prepare(sql).get(...values)
    },
    update(set, where = {}) {
      refuseSealed()
      const names = Object.keys(set).map(checked)
      const ownerColumn = names.find((name) => (owner as readonly string[]).includes(name))
      if (ownerColumn !== undefined) throw new Error(`${table} rows cannot change their ${ownerColumn}`)
      const { sql, values } = clause(where)
      const changed = prepare(
        `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${sql}`,
      ).run(...(Object.values(set) as SqlValue[]), ...values)
      return Number(changed.changes)
    },
    remove(where = {}) {
      refuseSealed()
      const { sql, values } = clause(where)
      return Number(prepare(`DELETE FROM ${table} WHERE ${sql}`).run(...values).changes)
    },
  }
}
