/** The last refusals of agents, from the audit log, with identical ones counted. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { OPERATOR, OWN_SERVER, type CallMethod, type IdentityLevel } from '../../../../core/call.ts'
import type { CapabilityKind } from '../../../../core/capability.ts'
import type { ErrorCode } from '../../../../core/errors/errors.ts'
import { withoutServerName } from '../../../../core/own-tools.ts'
import type { AuditEntry, AuditFilter, AuditReader } from '../../../../stages/audit/query.ts'
import type { RuleSet } from '../../../../stages/policy/rule-set.ts'
import { refusalCodes } from './remedies.ts'
import { capabilitiesWanted, secretsWanted, wantsOfOwnTool, wantsOfRequest, type Want } from './wants.ts'

/** One or more identical refusals. */
export interface RefusalGroup {
  /** Empty if the caller was not identified. */
  readonly agent: string
  /** What such a caller called itself in the arguments, which proves nothing. */
  readonly claimed?: string
  readonly level: IdentityLevel
  readonly method: CallMethod
  readonly server: string
  readonly tool: string
  readonly code: ErrorCode
  readonly wants: readonly Want[]
  /** What the agent was answered: the first line, or the message. */
  readonly answer: string
  /** Of the newest one, like what follows. */
  readonly project: string
  readonly time: string
  /** The number of its record. */
  readonly seq: number
  readonly call?: string
  readonly count: number
}

/** Per kind of record: more are not worth reading. */
const maxRecords = 5000

export interface RefusalSource {
  readonly audit: Pick<AuditReader, 'query' | 'show'>
  readonly rules: RuleSet
  /** The needs of contextd's own tools; undefined for others. */
  needsOf(server: string, tool: string): readonly CapabilityKind[] | undefined
}

/** Newest first. */
export function readRefusals(
  source: RefusalSource,
  { agent, since }: { readonly agent?: string; readonly since: number },
): RefusalGroup[] {
  const { audit, rules } = source
  const find = (filter: AuditFilter): AuditEntry[] =>
    audit.query({ ...filter, since, limit: maxRecords, except: { agent: OPERATOR } })
  // What refuses after the rules did not: then the decision of the record is theirs.
  const refused = [
    ...find({ kind: 'call', decision: 'deny' }),
    ...refusalCodes.flatMap((error) => find({ kind: 'call', error })),
  ].filter(({ error }) => error !== undefined)
  const requests = find({ event: 'http-request' }).filter(({ details }) => details?.outcome === 'not_granted')
  const withRequests = new Set(requests.map(({ details }) => details?.call))
  const all = [
    // The request of such a call says more.
    ...refused
      .filter(({ call, error }) => error !== 'HOST_NOT_GRANTED' || !withRequests.has(call))
      .map((entry) => ofCall(entry, source)),
    ...requests.flatMap((entry) => ofRequest(entry, source)),
    ...find({ event: 'call-foreseen-refused' }).flatMap((entry) => ofPreviewed(entry, source)),
  ]
  const wanted = agent === undefined ? undefined : (rules.resolveAgent(agent) ?? agent)
  return grouped(all.filter((one) => wanted === undefined || one.agent === wanted))
}

function grouped(refusals: readonly RefusalGroup[]): RefusalGroup[] {
  const groups = new Map<string, RefusalGroup>()
  const seen = new Set<string>()
  for (const one of [...refusals].sort((a, b) => b.seq - a.seq)) {
    const { agent, claimed, level, method, server, tool, code, wants } = one
    const caller = [agent, claimed, level]
    const key = JSON.stringify([...caller, method, server, tool, code, wants.map(withoutArguments)])
    // A call can match several queries.
    const call = `${one.call} ${key}`
    if (one.call !== undefined && seen.has(call)) continue
    seen.add(call)
    const known = groups.get(key)
    groups.set(key, known === undefined ? one : { ...known, count: known.count + 1 })
  }
  return [...groups.values()]
}

/** The same secrets in other arguments need the same rules. */
function withoutArguments(want: Want): unknown {
  return want.kind === 'secrets' ? want.reveal : want
}

function ofCall(entry: AuditEntry, { needsOf }: RefusalSource): RefusalGroup {
  const server = entry.target_server ?? entry.server ?? ''
  const tool = entry.target_tool ?? entry.tool ?? ''
  const args = argumentsOf(entry)
  const needs = needsOf(server, tool)
  const isSecret = entry.error === 'SECRET_NOT_REVEALED' || entry.error === 'SECRET_TOKEN_IN_ARGUMENT'
  const wants = [
    ...(needs === undefined
      ? capabilitiesWanted(entry)
      : wantsOfOwnTool(args, { project: entry.project, needs })),
    ...(isSecret ? secretsWanted(entry, args) : []),
  ]
  const claimed = entry.agent === '' && isJsonObject(entry.arguments) ? entry.arguments.agent_id : undefined
  return {
    ...callerOf(entry),
    ...(typeof claimed === 'string' && { claimed }),
    server,
    tool,
    wants,
    count: 1,
  }
}

function callerOf(entry: AuditEntry) {
  const { agent, level = 'default', method = 'tool', error, project, time, seq, call, output = '' } = entry
  return {
    agent,
    level,
    method,
    code: error ?? 'INTERNAL',
    answer: answerIn(output),
    project,
    time,
    seq,
    ...(call !== undefined && { call }),
  }
}

/** A refusal is stored as JSON, the failure of a tool as text. */
function answerIn(output: string): string {
  try {
    const error: unknown = JSON.parse(output)
    if (isJsonObject(error) && typeof error.message === 'string') return error.message
  } catch {
    // Text, or JSON of which only the start was stored.
  }
  return output.split('\n', 1)[0]?.replace(/^[A-Z_]+: /, '') ?? ''
}

/** Of the called tool, where another one wraps it. */
function argumentsOf({ arguments: args, tool, target_tool: target }: AuditEntry): JsonObject {
  if (!isJsonObject(args)) return {}
  return tool === 'execute_tool' && target !== undefined && isJsonObject(args.args) ? args.args : args
}

function ofRequest(entry: AuditEntry, { audit }: RefusalSource): RefusalGroup[] {
  const { details, time, seq, project } = entry
  const call = typeof details?.call === 'string' ? audit.show(details.call) : undefined
  const wants = wantsOfRequest(entry)
  // An MCP server in the sandbox has no agent: its hosts are in its entry in servers.json.
  if (call === undefined || wants.length === 0) return []
  const agent = call.agent || entry.agent
  const server = call.target_server ?? call.server ?? ''
  const tool = call.target_tool ?? call.tool ?? ''
  const answer = typeof details?.reason === 'string' ? details.reason : ''
  return [
    {
      ...callerOf(call),
      agent,
      server,
      tool,
      wants,
      time,
      seq,
      project,
      answer,
      code: 'HOST_NOT_GRANTED',
      count: 1,
    },
  ]
}

/** The client's hook asked before the call, so there is no call. */
function ofPreviewed(
  { details, time, seq, project, call }: AuditEntry,
  { rules }: RefusalSource,
): RefusalGroup[] {
  const { agent: name, tool: named, code } = details ?? {}
  const tool = typeof named === 'string' ? withoutServerName(named) : undefined
  if (typeof name !== 'string' || typeof code !== 'string' || tool === undefined) return []
  const known = rules.resolveAgent(name)
  const fallback = rules.denyOnMissing ? undefined : rules.resolveAgent('default')
  return [
    {
      agent: known ?? fallback ?? '',
      level: known === undefined ? 'default' : 'attested',
      method: 'tool',
      server: OWN_SERVER,
      tool,
      code: code as ErrorCode,
      wants: [],
      answer: known === undefined ? `The rules do not name the agent ${name}` : '',
      project,
      time,
      seq,
      ...(call !== undefined && { call }),
      count: 1,
    },
  ]
}
