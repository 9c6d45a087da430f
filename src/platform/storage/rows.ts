import { rowSql, type BoundSql, type Order, type Values, type Where } from './row-sql.ts'
import type { SqlRow, Statement } from './sqlite.ts'
import { tables, type TableName, type TableScope } from './tables.ts'

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
  const build = rowSql(table, scope)

  const refuseSealed = (): void => {
    if ('sealed' in tables[table]) throw new Error(`${table} rows cannot be changed`)
  }
  /** Returns the number of changed rows. */
  const change = ({ sql, values }: BoundSql): number => Number(prepare(sql).run(...values).changes)

  return {
    insert(values) {
      refuseSealed()
      change(build.insert(values))
    },
    put(values) {
      refuseSealed()
      if (change(build.upsert(values)) > 0) return
      // A row with the same key outside the scope belongs to someone else.
      throw new Error(`${table} already has that row, of another owner`)
    },
    all(where = {}, order = {}) {
      const { sql, values } = build.select(where, order)
      return prepare(sql).all(...values)
    },
    iterate(where = {}, order = {}) {
      const { sql, values } = build.select(where, order)
      return fresh(sql).iterate(...values)
    },
    first(where = {}, order = {}) {
      const { sql, values } = build.select(where, { ...order, limit: 1 })
      return prepare(sql).get(...values)
    },
    update(set, where = {}) {
      refuseSealed()
      return change(build.update(set, where))
    },
    remove(where = {}) {
      refuseSealed()
      return change(build.remove(where))
    },
  }
}
