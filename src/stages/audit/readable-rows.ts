import type { Rows } from '../../platform/storage/rows.ts'
import type { Store } from '../../platform/storage/store.ts'
import { auditColumns } from '../../platform/storage/tables.ts'
import { unreadable } from './record.ts'

type AuditTable = 'audit' | 'audit_entries'

const outOfRange = (column: string): string =>
  `typeof(${column}) = 'integer' AND ${column} NOT BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`
const firstUnreadableSql = `SELECT CAST(min(seq) AS TEXT) AS seq FROM audit WHERE ${auditColumns.map(outOfRange).join(' OR ')}`

/**
 * One tenant's records. Throws AUDIT_TAMPERED if the driver encounters a number that none of our records can contain.
 */
export function readableRows<T extends AuditTable>(
  store: Store,
  table: T,
  tenant: string,
): Pick<Rows<T>, 'all' | 'first' | 'iterate'> {
  const rows = store.rows<AuditTable>(table, { tenant })
  // Independent of the error's type, because the drivers differ.
  const explained = (error: unknown): unknown => {
    const seq = store.prepare(firstUnreadableSql).get()?.seq ?? null
    return seq === null ? error : unreadable(Number(seq), error)
  }
  const attempt = <R>(read: () => R): R => {
    try {
      return read()
    } catch (error) {
      throw explained(error)
    }
  }
  return {
    all: (where, order) => attempt(() => rows.all(where, order)),
    first: (where, order) => attempt(() => rows.first(where, order)),
    *iterate(where, order) {
      try {
        yield* rows.iterate(where, order)
      } catch (error) {
        throw explained(error)
      }
    },
  }
}
