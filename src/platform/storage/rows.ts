import type { SqlRow, SqlValue, Statement } from './sqlite.ts'
import { owner, tables, type Column, type TableName, type TableScope } from './tables.ts'

/** Equal to a value, or within bounds, which count as inside. */
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

/**
 * The rows of one owner. Every statement built here carries the scope; there is no other way to these tables.
 */
export interface Rows<T extends TableName> {
  insert(values: Values<T>): void
  /** Inserts, or replaces the row with the same key. */
  put(values: Values<T>): void
  all(where?: Where<T>, order?: Order<T>): SqlRow[]
  /** As `all`, row by row, for what may be long. */
  iterate(where?: Where<T>, order?: Order<T>): IterableIterator<SqlRow>
  first(where?: Where<T>, order?: Order<T>): SqlRow | undefined
  update(set: Values<T>, where?: Where<T>): number
  remove(where?: Where<T>): number
}

interface Statements {
  /** Kept and shared. */
  readonly prepare: (sql: string) => Statement
  /** For reads that are still open while others run. */
  readonly fresh: (sql: string) => Statement
}

export function scopedRows<T extends TableName>(
  { prepare, fresh }: Statements,
  table: T,
  scope: TableScope<T>,
): Rows<T> {
  const { scope: demanded, columns, key } = tables[table]
  const known: ReadonlySet<string> = new Set(columns)
  const given: Record<string, SqlValue> = {}
  for (const column of owner) {
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

  const unsealed = (): void => {
    if ('sealed' in tables[table]) throw new Error(`${table} rows cannot be changed`)
  }

  const clause = (where: object): { sql: string; values: SqlValue[] } => {
    const parts: string[] = []
    const values: SqlValue[] = []
    for (const [name, condition] of Object.entries({ ...where, ...given }) as [string, RowCondition][]) {
      const column = checked(name)
      if (condition === null) parts.push(`${column} IS NULL`)
      else if (typeof condition === 'object' && !(condition instanceof Uint8Array)) {
        for (const [sign, bound] of [
          ['>=', condition.atLeast],
          ['<=', condition.atMost],
        ] as const) {
          if (bound === undefined) continue
          parts.push(`${column} ${sign} ?`)
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

  /** A row always has an owner; what the scope leaves open is stored as "nobody in particular". */
  const insertion = (values: object): { sql: string; values: SqlValue[] } => {
    unsealed()
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
      // A row of the same key that lies outside the scope is someone else's: it stays, and the caller hears
      // of it.
      const mine = clause({})
      const upsert = `${sql} ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${replaced} WHERE ${mine.sql}`
      if (Number(prepare(upsert).run(...bound, ...mine.values).changes) === 0) {
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
      unsealed()
      const names = Object.keys(set).map(checked)
      const moved = names.find((name) => (owner as readonly string[]).includes(name))
      if (moved !== undefined) throw new Error(`${table} rows cannot change their ${moved}`)
      const { sql, values } = clause(where)
      const changed = prepare(
        `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE ${sql}`,
      ).run(...(Object.values(set) as SqlValue[]), ...values)
      return Number(changed.changes)
    },
    remove(where = {}) {
      unsealed()
      const { sql, values } = clause(where)
      return Number(prepare(`DELETE FROM ${table} WHERE ${sql}`).run(...values).changes)
    },
  }
}
