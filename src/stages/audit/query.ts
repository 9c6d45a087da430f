import type { ErrorCode } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import type { Where } from '../../platform/storage/row-sql.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { readableRows } from './readable-rows.ts'
import { toAuditRecord, type AuditRecord } from './record.ts'

export interface AuditFilter {
  /** Epoch milliseconds, inclusive. */
  readonly since?: number
  readonly until?: number
  readonly kind?: AuditEntry['kind']
  /** Events with this name. */
  readonly event?: string
  readonly call?: string
  readonly session?: string
  readonly agent?: string
  /** The called server, or the target of a gateway tool; `tool` likewise. */
  readonly server?: string
  readonly tool?: string
  readonly decision?: 'allow' | 'deny'
  readonly error?: ErrorCode
  /** Calls without an outcome past their deadline. */
  readonly crashed?: boolean
  /** Calls in whose answer the pipeline found a secret. */
  readonly leaks?: boolean
  /** Excludes calls of this agent, and this call. */
  readonly except?: { readonly agent?: string; readonly call?: string }
  readonly limit?: number
}

/** A call with everything known about it, or an event. */
export interface AuditEntry extends Omit<AuditRecord, 'kind' | 'hash'> {
  readonly kind: 'call' | 'event'
  /** For a call: it ended, may still be running, or its deadline has passed without an outcome. */
  readonly status?: 'done' | 'open' | 'crashed'
}

/** Reads the records of one tenant. */
export interface AuditReader {
  /** Newest first. */
  query(filter?: AuditFilter): AuditEntry[]
  /** By id, or by a unique prefix of one. */
  show(call: string): AuditEntry | undefined
  /** Records in order of writing: those after `after`, or the last ones. */
  tail(options?: { readonly after?: number; readonly limit?: number }): AuditRecord[]
  export(): IterableIterator<AuditRecord>
}

export interface AuditReaderOptions {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
}

const defaultLimit = 50
/** An id prefix long enough to be intentional; no id sorts after its prefix plus `~`. */
const idPrefix = /^[0-9a-f-]{8,}$/

export function createAuditReader({ store, tenant, clock }: AuditReaderOptions): AuditReader {
  const records = readableRows(store, 'audit', tenant)
  const entries = readableRows(store, 'audit_entries', tenant)

  const findByPrefix = (start: string): SqlRow | undefined => {
    if (!idPrefix.test(start)) return undefined
    const bounds = { atLeast: start, atMost: `${start}~` }
    const [row, ...others] = entries.all({ call: bounds }, { orderBy: 'seq', descending: true, limit: 2 })
    return others.length === 0 ? row : undefined
  }

  const toEntry = (row: SqlRow): AuditEntry => {
    const { hash: _, ...record } = toAuditRecord(row)
    if (record.kind === 'event') return { ...record, kind: 'event' }
    if (record.kind === 'intent') {
      return { ...record, kind: 'call', status: Number(row.deadline) < clock() ? 'crashed' : 'open' }
    }
    // Absent if it was pruned and the (younger) outcome was not.
    const intent = records.first({ seq: row.intent ?? null })
    const intentRecord = intent && toAuditRecord(intent)
    const findings = [...(intentRecord?.findings ?? []), ...(record.findings ?? [])]
    const notes = [...(intentRecord?.notes ?? []), ...(record.notes ?? [])]
    return {
      ...record,
      ...(intentRecord?.arguments !== undefined && { arguments: intentRecord.arguments }),
      ...(findings.length > 0 && { findings }),
      ...(notes.length > 0 && { notes }),
      kind: 'call',
      status: 'done',
    }
  }

  return {
    query(filter = {}) {
      const { limit = defaultLimit } = filter
      const found: AuditEntry[] = []
      for (const row of entries.iterate(conditions(filter, clock()), { orderBy: 'seq', descending: true })) {
        if (found.length >= limit) break
        if (matchesFilter(row, filter)) found.push(toEntry(row))
      }
      return found
    },
    show(call) {
      const row = entries.first({ call }, { orderBy: 'seq', descending: true }) ?? findByPrefix(call)
      return row && toEntry(row)
    },
    tail({ after, limit = defaultLimit } = {}) {
      const rows =
        after === undefined
          ? records.all({}, { orderBy: 'seq', descending: true, limit }).toReversed()
          : records.all({ seq: { atLeast: after + 1 } }, { orderBy: 'seq', limit })
      return rows.map(toAuditRecord)
    },
    *export() {
      // Bounded, because an open read also sees what this process writes in the meantime.
      const newest = records.first({}, { orderBy: 'seq', descending: true })
      const written = { seq: { atMost: Number(newest?.seq ?? 0) } }
      for (const row of records.iterate(written, { orderBy: 'seq' })) yield toAuditRecord(row)
    },
  }
}

/** The part of the filter that SQLite evaluates. */
function conditions(filter: AuditFilter, now: number): Where<'audit_entries'> {
  const { since, until, event, call, session, agent, decision, error, crashed, leaks } = filter
  return {
    time: { atLeast: since, atMost: until },
    ...(event !== undefined && { event }),
    ...(call !== undefined && { call }),
    ...(session !== undefined && { session }),
    ...(agent !== undefined && { agent }),
    ...(decision !== undefined && { decision }),
    ...(error !== undefined && { error }),
    ...(crashed === true && { kind: 'intent', deadline: { atMost: now - 1 } }),
    ...(leaks === true && { found_c2: { atLeast: 1 } }),
  }
}

function matchesFilter(row: SqlRow, { kind, server, tool, except }: AuditFilter): boolean {
  return (
    (kind === undefined || (row.kind === 'event') === (kind === 'event')) &&
    (server === undefined || row.server === server || row.target_server === server) &&
    (tool === undefined || row.tool === tool || row.target_tool === tool) &&
    (except?.agent === undefined || row.agent !== except.agent) &&
    (except?.call === undefined || row.call !== except.call)
  )
}
