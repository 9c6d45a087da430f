/** Audit records as others may know of them: who did what and what came of it, never the arguments and outputs. */

import type { AuditFinding, AuditRecord } from '../stages/audit/record.ts'
import { isJsonObject } from '../core/json.ts'
import type { SqlRow } from '../platform/storage/sqlite.ts'
import type { Store } from '../platform/storage/store.ts'

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
export type Recorded = Omit<Pick<AuditRecord, (typeof columns)[number]>, 'time'> & { readonly time: number }

const afterSql = `SELECT ${columns.join(', ')} FROM audit WHERE tenant = ? AND seq > ? ORDER BY seq LIMIT ?`
const newestSql = 'SELECT max(seq) AS seq FROM audit'

/** Those that follow a record, oldest first, by whichever process they were written. */
export function recordedAfter(store: Store, tenant: string, seq: number, limit: number): Recorded[] {
  return store.prepare(afterSql).all(tenant, seq, limit).map(toRecorded)
}

/** The number of the newest record; 0 where there is none. */
export function newestRecorded(store: Store): number {
  return Number(store.prepare(newestSql).get()?.seq ?? 0)
}

function toRecorded(row: SqlRow): Recorded {
  const { findings, details, ...plain } = row
  const known = Object.entries(plain).filter(([, value]) => value !== null)
  const found = parsed(findings)
  const told = parsed(details)
  return {
    ...(Object.fromEntries(known) as unknown as Recorded),
    ...(Array.isArray(found) && { findings: found.filter(isJsonObject) as unknown as AuditFinding[] }),
    ...(isJsonObject(told) && { details: told }),
  }
}

/** What was tampered with is the business of `ctxd audit verify`; here it says nothing. */
function parsed(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined
  } catch {
    return undefined
  }
}
