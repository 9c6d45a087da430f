/** Audit records as other parts may see them: who did what with which result, without arguments and outputs. */

import { isJsonObject } from '@contextd/shared/json/value'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { AuditKind, AuditRecord } from './record.ts'

const columns = [
  'seq',
  'time',
  'kind',
  'call',
  'project',
  'session',
  'agent',
  'client',
  'client_version',
  'door',
  'level',
  'method',
  'server',
  'tool',
  'target_server',
  'target_tool',
  'decision',
  'rule',
  'duration_ms',
  'tokens',
  'found_c1',
  'found_c2',
  'findings',
  'error',
  'event',
  'details',
] as const

/** `time` is in epoch milliseconds. */
export type RecordedEntry = Omit<Pick<AuditRecord, (typeof columns)[number]>, 'time'> & {
  readonly time: number
}

/** SQL conditions for the records of interest; filtering in the store is much faster than reading all of them. */
const conditions = {
  ended: "kind <> 'intent'",
  telling:
    "(kind = 'event' OR (kind = 'outcome' AND (decision = 'deny' OR error IS NOT NULL OR found_c1 > 0 OR found_c2 > 0)))",
} as const

const nthAfterSql = 'SELECT seq FROM audit WHERE seq > ? ORDER BY seq LIMIT 1 OFFSET ?'
const newestSql = 'SELECT max(seq) AS seq FROM audit'

const kindsSql =
  'SELECT kind, count(*) AS count FROM audit WHERE tenant = ? AND seq > ? AND seq <= ? GROUP BY kind'

export interface RecordRange {
  readonly tenant: string
  /** Exclusive and inclusive record numbers. */
  readonly after: number
  readonly upTo: number
}

/** Oldest first, written by any process. */
export function recordedIn(
  store: Store,
  { tenant, after, upTo }: RecordRange,
  { which, limit }: { readonly which: keyof typeof conditions; readonly limit: number },
): RecordedEntry[] {
  const sql = `SELECT ${columns.join(', ')} FROM audit WHERE tenant = ? AND seq > ? AND seq <= ? AND ${conditions[which]} ORDER BY seq LIMIT ?`
  return store.prepare(sql).all(tenant, after, upTo, limit).map(toRecorded)
}

/** The number of records of each kind. */
export function kindsIn(store: Store, { tenant, after, upTo }: RecordRange): [AuditKind, number][] {
  const rows = store.prepare(kindsSql).all(tenant, after, upTo)
  return rows.map(({ kind, count }) => [kind as AuditKind, Number(count)])
}

/** The number of the newest record, or 0. */
export function newestRecorded(store: Store): number {
  return Number(store.prepare(newestSql).get()?.seq ?? 0)
}

/**
 * The number of the record `count` records after this one, or of the newest if there are fewer. Counts records,
 * because numbers may have gaps.
 */
export function recordFurtherOn(store: Store, after: number, count: number): number {
  const found = store.prepare(nthAfterSql).get(after, count - 1)?.seq
  return found === undefined ? Math.max(after, newestRecorded(store)) : Number(found)
}

function toRecorded(row: SqlRow): RecordedEntry {
  const record: Record<string, unknown> = {}
  for (const column of columns) {
    const value = row[column] ?? null
    if (value !== null) record[column] = value
  }
  const found = parsed(record.findings)
  const details = parsed(record.details)
  record.findings = Array.isArray(found) ? found.filter(isJsonObject) : undefined
  record.details = isJsonObject(details) ? details : undefined
  return record as unknown as RecordedEntry
}

/** Tampered data is reported by `ctxd audit verify`; here it is ignored. */
function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
