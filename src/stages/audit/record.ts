import type { IdentityLevel, Door, CallMethod } from '../../core/call.ts'
import { ContextdError, type ErrorCode } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { FindingCount } from '../../core/trail.ts'
import type { SqlRow, SqlValue } from '../../platform/storage/sqlite.ts'
import { auditColumns } from '../../platform/storage/tables.ts'

/** `intent`: a call is about to proceed. `outcome`: how it ended. `event`: anything else worth recording. */
export type AuditKind = 'intent' | 'outcome' | 'event'

/** Where a secret was found: in the arguments, inside the tool host (C1), or in the pipeline (C2). */
export interface AuditFinding {
  readonly layer: 'arguments' | FindingCount['layer']
  readonly rule: string
  readonly place?: string
  readonly count: number
}

/** A record to be written. Its texts are already scrubbed. */
export interface NewRecord {
  /** Epoch milliseconds. */
  readonly time: number
  readonly kind: AuditKind
  readonly call?: string | undefined
  /** For an outcome: the number of its intent. */
  readonly intent?: number | undefined
  readonly tenant: string
  readonly project: string
  readonly session: string
  /** Empty in an intent, because the caller is identified later. */
  readonly agent: string
  readonly user: string
  readonly client?: string | undefined
  readonly client_version?: string | undefined
  readonly door?: Door | undefined
  readonly instance?: string | undefined
  readonly level?: IdentityLevel | undefined
  readonly method?: CallMethod | undefined
  readonly server?: string | undefined
  readonly tool?: string | undefined
  readonly target_server?: string | undefined
  readonly target_tool?: string | undefined
  readonly decision?: 'allow' | 'deny' | undefined
  readonly rule?: string | undefined
  /** When the call times out, epoch milliseconds: an intent without an outcome after that is a crash. */
  readonly deadline?: number | undefined
  readonly duration_ms?: number | undefined
  /** An object; a string if only the start of the JSON text was stored; absent if withheld. */
  readonly arguments?: Json | undefined
  readonly output?: string | undefined
  /** Of the whole output, even if only its start was stored. */
  readonly output_sha256?: string | undefined
  readonly output_bytes?: number | undefined
  readonly tokens?: number | undefined
  readonly found_c1?: number | undefined
  readonly found_c2?: number | undefined
  readonly findings?: readonly AuditFinding[] | undefined
  readonly notes?: readonly string[] | undefined
  readonly error?: ErrorCode | undefined
  readonly event?: string | undefined
  readonly details?: JsonObject | undefined
}

/** A record as read. */
export interface AuditRecord extends Omit<NewRecord, 'time' | 'deadline'> {
  readonly seq: number
  /** ISO 8601, like `deadline`. */
  readonly time: string
  readonly deadline?: string | undefined
  /** The seal in hexadecimal. */
  readonly hash: string
}

const jsonColumns: ReadonlySet<string> = new Set(['arguments', 'findings', 'notes', 'details'])
const listColumns = ['findings', 'notes'] as const

/** Replaces what SQLite would not return unchanged: NUL and unpaired surrogates. */
function storable(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** The values of a record in column order, ready to be stored and sealed. */
export function toValues(seq: number, record: NewRecord): SqlValue[] {
  const fields = record as unknown as Record<string, unknown>
  const values: SqlValue[] = []
  for (const column of auditColumns) {
    const value = column === 'seq' ? seq : fields[column]
    if (value === undefined) values.push(null)
    else if (jsonColumns.has(column)) values.push(JSON.stringify(value))
    else if (typeof value === 'string') values.push(storable(value))
    else values.push(value as SqlValue)
  }
  return values
}

/**
 * The sealed text: the values as a JSON array without trailing nulls, so that a column added later does not
 * invalidate older seals.
 */
export function canonicalText(values: readonly SqlValue[]): string {
  let end = values.length
  while (values[end - 1] === null) end--
  return JSON.stringify(values.slice(0, end))
}

export function valuesOf(row: SqlRow): SqlValue[] {
  return auditColumns.map((column) => row[column] ?? null)
}

export function unreadable(seq: number, cause: unknown): ContextdError {
  return new ContextdError('AUDIT_TAMPERED', { seq, problem: 'it cannot be read' }, { cause })
}

/** Throws AUDIT_TAMPERED for values that none of our records can contain. */
export function toAuditRecord(row: SqlRow): AuditRecord {
  const record: Record<string, unknown> = {}
  try {
    for (const column of auditColumns) {
      const value = row[column] ?? null
      if (value === null) continue
      if (column === 'time' || column === 'deadline') record[column] = new Date(Number(value)).toISOString()
      else record[column] = jsonColumns.has(column) ? JSON.parse(String(value)) : value
    }
    for (const column of listColumns) {
      if (!Array.isArray(record[column] ?? [])) throw new TypeError(`${column} is no list`)
    }
    if (!(row.hash instanceof Uint8Array)) throw new TypeError('the seal is no bytes')
    record.hash = Buffer.from(row.hash).toString('hex')
  } catch (cause) {
    throw unreadable(Number(row.seq), cause)
  }
  return record as unknown as AuditRecord
}
