import { LOCAL_TENANT } from '../../core/call.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface Refused {
  readonly time: string
  /** Empty if the caller was not identified. */
  readonly agent: string
  readonly server: string
  readonly tool: string
  readonly code: string
  readonly rule?: string
  readonly call?: string
}

export interface Recent {
  /** Newest first. */
  readonly refusals: readonly Refused[]
  /** Secrets replaced in answers since the given time, and the number of these answers. */
  readonly heldBack: { readonly secrets: number; readonly answers: number }
}

/** Limits the work of a status display; `ctxd audit query` finds older records. */
const maxRecords = 50_000

const newestFirst = `SELECT time, kind, call, agent, server, tool, target_server, target_tool, decision, rule, found_c1, found_c2,
  error, event, details FROM audit WHERE tenant = ? AND kind <> 'intent' ORDER BY seq DESC LIMIT ?`

/** The end of the audit log, read backwards once until everything requested is known. */
export function recentRecords(
  store: Store,
  { since, refusals: maxRefusals }: { since: number; refusals: number },
): Recent {
  const refusals: Refused[] = []
  let secrets = 0
  let answers = 0
  for (const row of store.iterate(newestFirst, LOCAL_TENANT, maxRecords)) {
    const isNew = Number(row.time) >= since
    if (!isNew && refusals.length >= maxRefusals) break
    const secretCount = isNew ? heldBackIn(row) : 0
    if (secretCount > 0) {
      secrets += secretCount
      answers += 1
    }
    const refused = refusals.length < maxRefusals ? refusalIn(row) : undefined
    if (refused !== undefined) refusals.push(refused)
  }
  return { refusals, heldBack: { secrets, answers } }
}

type Row = Readonly<Record<string, unknown>>

function heldBackIn(row: Row): number {
  if (row.kind === 'outcome') return Number(row.found_c1 ?? 0) + Number(row.found_c2 ?? 0)
  return row.event === 'tool-output-scrubbed' ? Number(detailsOf(row).found ?? 0) : 0
}

function refusalIn(row: Row): Refused | undefined {
  const at = { time: new Date(Number(row.time)).toISOString(), agent: textOf(row.agent) }
  if (row.kind === 'outcome' && row.decision === 'deny') {
    return {
      ...at,
      server: textOf(row.target_server ?? row.server),
      tool: textOf(row.target_tool ?? row.tool),
      code: textOf(row.error),
      ...(row.rule !== null && { rule: textOf(row.rule) }),
      ...(row.call !== null && { call: textOf(row.call) }),
    }
  }
  if (row.event !== 'hook-refused') return undefined
  const { tool, what, agent } = detailsOf(row)
  return { ...at, agent: at.agent || textOf(agent), server: 'client', tool: textOf(tool), code: textOf(what) }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function detailsOf({ details }: Row): Row {
  try {
    const read: unknown = JSON.parse(textOf(details))
    return typeof read === 'object' && read !== null ? (read as Row) : {}
  } catch {
    return {}
  }
}
