/** Audit records as others may know of them: who did what and what came of it, never the arguments and outputs. */

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

/** With `time` in epoch milliseconds. */
export type RecordedEntry = Omit<Pick<AuditRecord, (typeof columns)[number]>, 'time'> & {
  readonly time: number
}

/** Which records somebody wants to hear of; to leave out the others in the store is many times faster than to read them. */
const wanted = {
  ended: "kind <> 'intent'",
  telling:
    "(kind = 'event' OR (kind = 'outcome' AND (decision = 'deny' OR error IS NOT NULL OR found_c1 > 0 OR found_c2 > 0)))",
} as const

const furtherSql = 'SELECT seq FROM audit WHERE seq > ? ORDER BY seq LIMIT 1 OFFSET ?'
const newestSql = 'SELECT max(seq) AS seq FROM audit'

const kindsSql =
  'SELECT kind, count(*) AS count FROM audit WHERE tenant = ? AND seq > ? AND seq <= ? GROUP BY kind'

export interface RecordRange {
  readonly tenant: string
  /** The record before the first, and the last. */
  readonly after: number
  readonly upTo: number
}

/** Oldest first, by whichever process they were written. */
export function recordedIn(
  store: Store,
  { tenant, after, upTo }: RecordRange,
  { which, limit }: { readonly which: keyof typeof wanted; readonly limit: number },
): RecordedEntry[] {
  const sql = `SELECT ${columns.join(', ')} FROM audit WHERE tenant = ? AND seq > ? AND seq <= ? AND ${wanted[which]} ORDER BY seq LIMIT ?`
  return store.prepare(sql).all(tenant, after, upTo, limit).map(toRecorded)
}

/** How many of each kind. */
export function kindsIn(store: Store, { tenant, after, upTo }: RecordRange): [AuditKind, number][] {
  const rows = store.prepare(kindsSql).all(tenant, after, upTo)
  return rows.map(({ kind, count }) => [kind as AuditKind, Number(count)])
}

/** The number of the newest record; 0 where there is none. */
export function newestRecorded(store: Store): number {
  return Number(store.prepare(newestSql).get()?.seq ?? 0)
}

/** The number of the record that many after this one; of the newest where there are fewer. Counts records: numbers may have gaps. */
export function recordFurtherOn(store: Store, after: number, count: number): number {
  const found = store.prepare(furtherSql).get(after, count - 1)?.seq
  return found === undefined ? Math.max(after, newestRecorded(store)) : Number(found)
}

function toRecorded(row: SqlRow): RecordedEntry {
  const record: Record<string, unknown> = {}
  for (const column of columns) {
    const value = row[column] ?? null
    if (value !== null) record[column] = value
  }
  const found = parsed(record.findings)
  const told = parsed(record.details)
  record.findings = Array.isArray(found) ? found.filter(isJsonObject) : undefined
  record.details = isJsonObject(told) ? told : undefined
  return record as unknown as RecordedEntry
}

/** What was tampered with is the business of `ctxd audit verify`; here it says nothing. */
function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
