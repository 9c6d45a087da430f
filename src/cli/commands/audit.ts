/** `ctxd audit`: what happened. */

import { setInterval } from 'node:timers/promises'
import { InvalidArgumentError, Option, type Command } from 'commander'

import type { AuditEntry, AuditFilter, AuditRecord, Records } from '../../compose.ts'
import { ContextdError, errorCatalogue } from '../../core/errors.ts'
import { isJsonObject } from '../../core/json.ts'
import { requireOperator } from '../../platform/operator.ts'
import { nearest } from '../../platform/nearest.ts'
import {
  counted,
  newCommand,
  newGroup,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '../ui/output.ts'
import { wholeNumber } from '../ui/whole-number.ts'
import { withRecords } from '../with-runtime.ts'

export function auditCommand(io: CliIo = processIo()): Command {
  return newGroup('audit', 'what happened', 'ctxd audit tail')
    .addCommand(
      newCommand('tail', 'the newest records, and with --follow every new one', 'ctxd audit tail --follow')
        .option('-n, --limit <count>', 'how many to begin with', count, 20)
        .option('-f, --follow', 'go on until Ctrl-C')
        .action((options: JsonOption & { limit: number; follow?: true }) => tail(options, io)),
    )
    .addCommand(
      newCommand(
        'query',
        'calls and events that match, newest first',
        'ctxd audit query --decision deny --since 24h',
      )
        .option('--since <when>', 'a time, or how long ago (90s, 15m, 24h, 7d)', when)
        .option('--until <when>', 'likewise', when)
        .option('--agent <id>', 'calls of this agent')
        .option('--server <name>', 'calls that went to this server, or were meant for it')
        .option('--tool <name>', 'calls of this tool, or meant for it')
        .option('--session <id>', 'calls of this session')
        .addOption(new Option('--decision <decision>', 'how the rules decided').choices(['allow', 'deny']))
        .option('--error <code>', 'calls that ended with this error code', errorCode)
        .addOption(new Option('--kind <kind>', 'only the one or the other').choices(['call', 'event']))
        .option('--event <name>', 'events of this name, such as http-request or trust-given')
        .option('--crashed', 'calls that never ended')
        .option('--leaks', 'secrets that a tool let through and the pipeline caught, with rule and place')
        .option('-n, --limit <count>', 'at most so many', count, 50)
        .action(({ json, ...filter }: JsonOption & AuditFilter) =>
          query(filter, { ...(json && { json }) }, io),
        ),
    )
    .addCommand(
      newCommand('show', 'everything about one call', 'ctxd audit show 3f0c2a5e-6f3b-4d6e-9a57-0c8f6f1f2b11')
        .argument('<call>', 'the id of the call')
        .option('--raw', 'its output before it was scrubbed, from the vault; asks the person at the terminal')
        .action((call: string, options: JsonOption & { raw?: true }) =>
          options.raw ? showRaw(call, options, io) : show(call, options, io),
        ),
    )
    .addCommand(
      newCommand(
        'verify',
        'check that no record was changed, removed, added or moved',
        'ctxd audit verify',
      ).action((options: JsonOption) => verify(options, io)),
    )
    .addCommand(
      newCommand(
        'export',
        'all records with their seals, one JSON object a line',
        'ctxd audit export > audit.jsonl',
      ).action(() => exportAll(io)),
    )
}

function tail(
  { limit, follow, json }: JsonOption & { limit: number; follow?: true },
  io: CliIo,
): Promise<void> {
  return withRecords(io, async ({ audit }) => {
    let after = 0
    const print = (records: readonly AuditRecord[]): void => {
      for (const record of records) {
        if (json) io.stdout.write(`${JSON.stringify(record)}\n`)
        else printLine(recordLine(record), io)
        after = record.seq
      }
    }
    print(audit.tail({ limit }))
    if (!follow) return
    const stop = new AbortController()
    process.once('SIGINT', () => stop.abort())
    io.stdout.on?.('error', () => stop.abort())
    try {
      for await (const _ of setInterval(250, undefined, { signal: stop.signal })) {
        print(audit.tail({ after, limit: 1000 }))
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error
    }
  })
}

function query(filter: AuditFilter, { json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, ({ audit }) => {
    const entries = audit.query(filter)
    if (json) return printJson({ entries }, io)
    if (entries.length === 0) return printLine('Nothing matches.', io)
    if (filter.leaks)
      return printTable(['TIME', 'AGENT', 'TOOL', 'RULE', 'PLACE', 'COUNT'], leaksOf(entries), io)
    const rows = entries.map((entry) => [
      entry.time,
      entry.agent || '-',
      entry.kind === 'event' ? eventWords(entry) : toolOf(entry),
      outcomeOf(entry),
      entry.rule ?? '',
      entry.call ?? detail(entry, 'call'),
    ])
    printTable(['TIME', 'AGENT', 'WHAT', 'OUTCOME', 'RULE', 'CALL'], rows, io)
  })
}

/** What only the pipeline caught: the tool named here let it through. */
function leaksOf(entries: readonly AuditEntry[]): string[][] {
  return entries.flatMap(({ time, agent, findings = [], ...entry }) =>
    findings
      .filter(({ layer }) => layer === 'C2')
      .map(({ rule, place = '(many places)', count }) => [
        time,
        agent || '-',
        toolOf(entry),
        rule,
        place,
        String(count),
      ]),
  )
}

function show(call: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, ({ audit }) => {
    const entry = audit.show(call)
    if (entry === undefined) throw new ContextdError('NOT_FOUND', { what: 'call with that id' })
    const requests = requestsOf(entry, audit)
    if (json) {
      const http_requests = requests.map(({ details }) => details)
      return printJson({ ...entry, ...(requests.length > 0 && { http_requests }) }, io)
    }
    for (const [name, value] of Object.entries(entry)) {
      if (value !== undefined) printField(name, typeof value === 'string' ? value : JSON.stringify(value), io)
    }
    for (const request of requests) {
      const words = [requestWords(request), detail(request, 'status'), detail(request, 'outcome')]
      printField('http_request', words.filter(Boolean).join(' '), io)
    }
  })
}

/** A text of several lines is printed as such, each below the first. */
function printField(name: string, value: string, io: CliIo): void {
  for (const [index, line] of value.trimEnd().split('\n').entries()) {
    printLine(`${(index === 0 ? name : '').padEnd(14)} ${line}`, io)
  }
}

/** Between the two records of a call its requests were made; clocks are read a moment before they are written down. */
const slackMs = 1000

/** What the call asked of the web, oldest first. */
function requestsOf(
  { call = '', session, time, duration_ms = 0, status }: AuditEntry,
  audit: Records['audit'],
): AuditEntry[] {
  const written = Date.parse(time)
  const events = audit.query({
    event: 'http-request',
    session,
    since: written - duration_ms - slackMs,
    ...(status === 'done' && { until: written + slackMs }),
    limit: Infinity,
  })
  return events.filter((event) => detail(event, 'call') === call).toReversed()
}

/** Secrets in clear: for a person, not for an agent with a shell. */
function showRaw(call: string, { json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, async ({ rawOutput, event }) => {
    const raw = rawOutput(call)
    if (raw === undefined) throw new ContextdError('NOT_FOUND', { what: 'output of that call in the vault' })
    await requireOperator({ ...io, question: 'Show the output with its secrets' })
    event('vault-read', { call })
    if (json) printJson({ call, raw: JSON.parse(raw) as unknown }, io)
    else printLine(raw, io)
  })
}

function verify({ json }: JsonOption, io: CliIo): Promise<void> {
  return withRecords(io, (records) => {
    const live = io.stderr.isTTY === true
    const verdict = records.verify((done) => {
      if (live) io.stderr.write(`\r${done.toLocaleString('en')} records`)
    })
    if (live) io.stderr.write('\r\u001B[K')
    if (json) printJson(verdict, io)
    else if (verdict.ok)
      printLine(`${counted(verdict.records, 'record')}, none changed, removed, added or moved.`, io)
    if (!verdict.ok)
      throw new ContextdError('AUDIT_TAMPERED', { seq: verdict.first_bad, problem: verdict.problem })
  })
}

function exportAll(io: CliIo): Promise<void> {
  return withRecords(io, ({ audit }) => {
    for (const record of audit.export()) io.stdout.write(`${JSON.stringify(record)}\n`)
  })
}

/** What was really meant, where one tool stands for another. */
function toolOf(record: Pick<AuditRecord, 'server' | 'tool' | 'target_server' | 'target_tool'>): string {
  const { server, tool, target_server: aimedServer, target_tool: aimedTool } = record
  return `${aimedServer ?? server}.${aimedTool ?? tool}`
}

function recordLine(record: AuditRecord): string {
  const what = record.kind === 'event' ? eventWords(record) : toolOf(record)
  // Nothing is decided about a list.
  const how = record.kind === 'outcome' ? [record.error ?? record.decision, record.duration_ms, 'ms'] : []
  const words = [what, ...how].filter((word) => word !== undefined)
  return `${record.time} ${record.kind.padEnd(7)} ${record.agent || '-'} ${words.join(' ')}`
}

function outcomeOf(entry: AuditEntry): string {
  const { status, error, decision } = entry
  return status === 'crashed' || status === 'open' ? status : (error ?? decision ?? detail(entry, 'outcome'))
}

/** `http-request GET registry.example.org:443`: the name, and of the details what says most in one line. */
function eventWords(entry: Pick<AuditRecord, 'event' | 'details'>): string {
  const of = [detail(entry, 'server') || detail(entry, 'upstream'), detail(entry, 'tool')].filter(Boolean)
  const on = detail(entry, 'key') || detail(entry, 'path') || detail(entry, 'file')
  return [entry.event ?? '', requestWords(entry), of.join('.') || on].filter(Boolean).join(' ')
}

/** `GET registry.example.org:443`, where the event is about a request. */
function requestWords(entry: Pick<AuditRecord, 'details'>): string {
  const host = ['host', 'port'].map((name) => detail(entry, name)).filter(Boolean)
  return [detail(entry, 'method'), host.join(':')].filter(Boolean).join(' ')
}

function detail({ details }: Pick<AuditRecord, 'details'>, name: string): string {
  const value = isJsonObject(details) ? details[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const count = wholeNumber(1, 100_000)

function errorCode(text: string): string {
  const codes = Object.keys(errorCatalogue)
  if (codes.includes(text)) return text
  const meant = nearest(text, codes)
  throw new InvalidArgumentError(
    meant === undefined ? 'It must be a code such as DENIED_BY_POLICY.' : `Did you mean ${meant}?`,
  )
}

const units: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

function when(text: string): number {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? []
  const time = amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (units[unit] ?? 0)
  if (Number.isNaN(time))
    throw new InvalidArgumentError('It must be a time such as 2026-11-15T10:00:00Z, or 90s, 15m, 24h, 7d.')
  return time
}
