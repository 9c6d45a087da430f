import type { IdentityLevel, Door, CallMethod } from '../../core/call.ts'
import { ContextdError, type ErrorCode } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { FindingCount } from '../../core/trail.ts'
import type { SqlRow, SqlValue } from '../../platform/storage/sqlite.ts'
import { auditColumns } from '../../platform/storage/tables.ts'

/** `intent`: a call is about to go on. `outcome`: how it ended. `event`: anything else worth keeping. */
export type AuditKind = 'intent' | 'outcome' | 'event'

/** Where a secret was found: in the arguments, inside the tool host (C1), or in the pipeline (C2). */
export interface AuditFinding {
  readonly layer: 'arguments' | FindingCount['layer']
  readonly rule: string
  readonly place?: string
  readonly count: number
}

/** One record as it is written. Texts are scrubbed before they get here. */
export interface NewRecord {
  /** Epoch milliseconds. */
  readonly time: number
  readonly kind: AuditKind
  readonly call?: string | undefined
  /** Of an outcome: the number of the intent it ends. */
  readonly intent?: number | undefined
  readonly tenant: string
  readonly project: string
  readonly session: string
  /** Empty in an intent: who calls is found out further in. */
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
  /** When the call is given up, epoch milliseconds: an intent past it that has no outcome is a crash. */
  readonly deadline?: number | undefined
  readonly duration_ms?: number | undefined
  /** An object; a string where only the start of the JSON text was kept; absent where withheld. */
  readonly arguments?: Json | undefined
  readonly output?: string | undefined
  /** Of the whole output, also where only its start was kept. */
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

/** One record as it is read. */
export interface AuditRecord extends Omit<NewRecord, 'time' | 'deadline'> {
  readonly seq: number
  /** ISO 8601, as `deadline`. */
  readonly time: string
  readonly deadline?: string | undefined
  /** The seal, in hexadecimal. */
  readonly hash: string
}

const jsonColumns: ReadonlySet<string> = new Set(['arguments', 'findings', 'notes', 'details'])
const listColumns = ['findings', 'notes'] as const

/** Without what SQLite would not give back as it was: a NUL, half of a surrogate pair. */
function storable(text: string): string {
  return text.isWellFormed() && !text.includes('\0') ? text : text.toWellFormed().replaceAll('\0', '\uFFFD')
}

/** The values of a record in the order of the columns, ready to be stored and sealed. */
export function toValues(seq: number, record: NewRecord): SqlValue[] {
  const given = record as unknown as Record<string, unknown>
  const values: SqlValue[] = []
  for (const column of auditColumns) {
    const value = column === 'seq' ? seq : given[column]
    if (value === undefined) values.push(null)
    else if (jsonColumns.has(column)) values.push(JSON.stringify(value))
    else if (typeof value === 'string') values.push(storable(value))
    else values.push(value as SqlValue)
  }
  return values
}

/**
 * The text that is sealed: the values as a JSON array. Absent ones at the end are left out, so that a column
 * added later breaks no older seal.
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

/** Throws AUDIT_TAMPERED for what no record of ours can hold. */
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
