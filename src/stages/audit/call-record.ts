/** What a call and its result look like in a record. Pure: what checks them comes as a parameter. */

import { hash } from 'node:crypto'

import type { Call } from '../../core/call.ts'
import { errorCatalogue, type ErrorCode } from '../../core/errors.ts'
import { maskAndScrub, type TextChecks } from '../../core/findings.ts'
import { isJsonObject, mapStrings, type Json, type JsonObject } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import type { AuditFinding, NewRecord } from './record.ts'
import { resultText } from './result-text.ts'

/** How much of the arguments is kept, as JSON text. */
const argumentChars = 16_384
/** How much of a name is kept: the caller chose it, and it stands in both records. */
const nameChars = 256

export interface RecordChecks extends TextChecks {
  readonly recorded?: (call: Call) => JsonObject
  /** How much of an output is kept. */
  readonly outputChars: number
}

export interface DescribedRequest {
  /** Stands in both records of a call. */
  readonly context: Omit<NewRecord, 'time' | 'kind'>
  /** Absent where the request could not be checked for secrets: then the call must not go on. */
  readonly asked?: Pick<NewRecord, 'arguments' | 'findings'>
}

/** Who asked for what, masked and scrubbed. */
export function describeRequest(call: Call, checks: Omit<RecordChecks, 'outputChars'>): DescribedRequest {
  const { id, tenant, project, session, user, client, method } = call
  const owner = { call: id, tenant, project, session, agent: '', user, door: client.door, method }
  const counts = new Map<string, number>()
  const clean = (text: string, key?: string): string => {
    const { text: cleaned, rules } = maskAndScrub(text, call, checks, undefined, key)
    for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return cleaned
  }
  try {
    const context = {
      ...owner,
      client: shortName(clean(client.name)),
      client_version: shortName(clean(client.version)),
      server: shortName(clean(call.server)),
      tool: shortName(clean(call.tool)),
    }
    const args = method === 'list' ? {} : mapStrings(checks.recorded?.(call) ?? call.arguments, clean)
    const findings = [...counts].map(([rule, count]): AuditFinding => ({ layer: 'arguments', rule, count }))
    return { context, asked: { arguments: capped(args), findings: filled(findings) } }
  } catch {
    return { context: owner }
  }
}

/** Of a name that was scrubbed as a whole: a secret cut in two would not be recognised. */
function shortName(name: string): string {
  return name.length <= nameChars ? name : `${name.slice(0, nameChars - 1)}…`
}

/** The arguments themselves, or the start of their text. */
function capped(args: Json): Json {
  const text = JSON.stringify(args)
  return text.length <= argumentChars ? args : text.slice(0, argumentChars)
}

/** What came of it, masked and scrubbed. Throws where it cannot be checked. */
export function describeOutcome(call: Call, result: Result, checks: RecordChecks): Partial<NewRecord> {
  const { principal, target, findings, decision, rule, tokens, truncated } = call.trail
  const isPrivate = result.kind === 'answer' && result.isPrivate === true
  const notes = [
    ...call.trail.notes,
    ...(truncated === true ? ['the answer was cut to its budget'] : []),
    ...(isPrivate ? ['the answer is private context and is not kept'] : []),
  ]
  const clean = (text: string): string => maskAndScrub(text, call, checks, undefined).text
  return {
    agent: principal?.agent ?? '',
    instance: principal?.instance && shortName(clean(principal.instance)),
    level: principal?.level,
    target_server: target && shortName(clean(target.server)),
    target_tool: target && shortName(clean(target.tool)),
    // Whoever is refused before the rules are asked is refused all the same.
    decision: decision ?? (result.kind === 'refusal' ? 'deny' : undefined),
    rule,
    ...(isPrivate ? { output_bytes: Buffer.byteLength(resultText(result)) } : outputOf(call, result, checks)),
    tokens,
    found_c1: countOf(findings, 'C1'),
    found_c2: countOf(findings, 'C2'),
    findings: filled(findings),
    notes: filled(notes.map(clean)),
    error: errorOf(result),
  }
}

function outputOf(
  call: Call,
  result: Result,
  checks: RecordChecks,
): Pick<NewRecord, 'output' | 'output_sha256' | 'output_bytes'> {
  const said = resultText(result)
  // What the tools said has passed the scrub stage, where its owner sees what is private; the stages outside it have not.
  const { text } =
    result.kind === 'refusal'
      ? maskAndScrub(said, call, checks, undefined)
      : checks.privacy.mask(said, call.session, undefined)
  return {
    output: text.slice(0, checks.outputChars),
    output_sha256: hash('sha256', text),
    output_bytes: Buffer.byteLength(text),
  }
}

function filled<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

function countOf(findings: readonly AuditFinding[], layer: AuditFinding['layer']): number {
  return findings.reduce((sum, finding) => (finding.layer === layer ? sum + finding.count : sum), 0)
}

/** The code of a refusal, or of a tool that ran and failed. Another server cannot put one of ours on record. */
function errorOf(result: Result): ErrorCode | undefined {
  if (result.kind === 'refusal') return result.error.code
  if (result.kind === 'fault') return 'TOOL_FAILED'
  if (result.kind !== 'answer' || result.isError !== true) return undefined
  if (result.isOurError !== true) return 'TOOL_FAILED'
  const error = isJsonObject(result.structured) ? result.structured.error : undefined
  const code = isJsonObject(error) ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(errorCatalogue, code) ? (code as ErrorCode) : 'TOOL_FAILED'
}
