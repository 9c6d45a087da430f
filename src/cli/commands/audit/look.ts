/** `ctxd audit query` and `show`: via the daemon if it runs, else directly from the store, even if nothing else loads. */

import { ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { requireOperator } from '@contextd/shared/operator'
import { queryAudit, showCall } from '../../../servers/control/operations/audit.ts'
import type { AuditEntry } from '../../../stages/audit/query.ts'
import { withControl } from '../../support/control.ts'
import { hintMeantName } from '../../support/known-names.ts'
import { requestOf } from '../../support/request-of.ts'
import {
  printJson,
  printLine,
  printTable,
  secondOf,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import { detail, eventWords, outcomeOf, requestWords, recordedTool } from './words.ts'

export interface QueryOptions extends JsonOption {
  /** ISO 8601, as `until`. */
  readonly since?: string
  readonly until?: string
  readonly agent?: string
  readonly server?: string
  readonly tool?: string
  readonly session?: string
  readonly decision?: string
  readonly error?: string
  readonly kind?: string
  readonly event?: string
  readonly crashed?: true
  readonly leaks?: true
  readonly limit: number
}

export async function query({ json, ...filter }: QueryOptions, io: CliIo): Promise<void> {
  const request = requestOf({ ...filter })
  const answered = await withControl(
    io,
    (api) => api.call('Audit/Query', request),
    () => withRecords(io, ({ audit }) => queryAudit(audit, request)),
  )
  if (json) return printJson(answered, io)
  const entries = (answered.entries ?? []) as unknown as AuditEntry[]
  if (entries.length === 0) {
    printLine('No matches.', io)
    await hintMeantName('agents', filter.agent, io)
    await hintMeantName('servers', filter.server, io)
    return hintMeantName('tools', filter.tool, io)
  }
  if (filter.leaks)
    return printTable(['TIME', 'AGENT', 'TOOL', 'RULE', 'LOCATION', 'COUNT'], leaksOf(entries), io)
  // A full ID does not fit on a terminal, and `show` accepts a prefix.
  const idLength = io.stdout.isTTY === true ? shortId : Infinity
  const rows = entries.map((entry) => [
    secondOf(entry.time),
    entry.agent || '-',
    entry.kind === 'event' ? eventWords(entry) : recordedTool(entry),
    outcomeOf(entry),
    entry.rule ?? '',
    (entry.call ?? detail(entry, 'call')).slice(0, idLength),
  ])
  printTable(['TIME', 'AGENT', 'WHAT', 'OUTCOME', 'RULE', 'CALL'], rows, io)
}

const shortId = 8

/** Secrets that only the pipeline caught: the tool named here missed them. */
function leaksOf(entries: readonly AuditEntry[]): string[][] {
  return entries.flatMap(({ time, agent, findings = [], ...entry }) =>
    findings
      .filter(({ layer }) => layer === 'C2')
      .map(({ rule, place = '(many locations)', count }) => [
        secondOf(time),
        agent || '-',
        recordedTool(entry),
        rule,
        place,
        String(count),
      ]),
  )
}

export async function show(call: string, { json }: JsonOption, io: CliIo): Promise<void> {
  const answered = await withControl(
    io,
    (api) => api.call('Audit/Show', { call }),
    () => withRecords(io, ({ audit }) => showCall(audit, call)),
  )
  const entry = answered.entry as JsonObject
  const requests = (answered.http_requests ?? []) as JsonObject[]
  if (json) return printJson({ ...entry, ...(requests.length > 0 && { http_requests: requests }) }, io)
  for (const [name, value] of Object.entries(entry)) {
    if (value !== undefined) printField(name, typeof value === 'string' ? value : JSON.stringify(value), io)
  }
  for (const details of requests) {
    const words = [requestWords({ details }), detail({ details }, 'status'), detail({ details }, 'outcome')]
    printField('http_request', words.filter(Boolean).join(' '), io)
  }
}

/** Prints multi-line text with its lines aligned. */
function printField(name: string, value: string, io: CliIo): void {
  for (const [index, line] of value.trimEnd().split('\n').entries()) {
    printLine(`${(index === 0 ? name : '').padEnd(14)} ${line}`, io)
  }
}

/** Secrets in plain text: for the user, not for an agent with a shell. No API returns them. */
export function showRaw(call: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, async ({ rawOutput, event }) => {
    const raw = rawOutput(call)
    if (raw === undefined)
      throw new ContextdError('NOT_FOUND', {
        what: `output of call ${call} in the vault`,
        hint: '`ctxd audit query` shows the ids of calls; only those made with audit.vault on are in the vault.',
      })
    await requireOperator({ ...io, question: 'Show the output including its secrets' })
    event('vault-read', { call })
    if (json) printJson({ call, raw: JSON.parse(raw) as unknown }, io)
    else printLine(raw, io)
  })
}
