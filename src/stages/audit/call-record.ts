/** What a call and its result look like in a record. Pure: what checks them comes as a parameter. */

import { hash } from 'node:crypto'

import type { Call } from '../../core/call.ts'
import { checkFor, type CheckFor, type RunCheck } from '../../core/checks.ts'
import { CodedError, errorCatalogue, type ErrorCode } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../core/result.ts'
import type { AuditFinding, NewRecord } from './record.ts'
import { resultText } from './result-text.ts'

/** How much of the arguments is kept, as JSON text. */
const argumentChars = 16_384
/** How much of a name is kept: the caller chose it, and it stands in both records. */
const nameChars = 256

export interface RecordChecks {
  readonly check: RunCheck
  /** How much of an output is kept. */
  readonly outputChars: number
}

export interface DescribedRequest {
  /** Stands in both records of a call. */
  readonly context: Omit<NewRecord, 'time' | 'kind'>
  /** A code where the request could not be checked for secrets: then the call must not go on. */
  readonly asked:
    | Pick<NewRecord, 'arguments' | 'findings'>
    | 'SCRUB_FAILED'
    | 'MODEL_REQUEST_UNCHECKED'
    | 'SCRUB_QUEUE_FULL'
}

/** Who asked for what, masked and scrubbed. */
export async function describeRequest(
  call: Call,
  checks: Omit<RecordChecks, 'outputChars'>,
): Promise<DescribedRequest> {
  const { id, tenant, project, session, user, client, method } = call
  const owner = { call: id, tenant, project, session, agent: '', user, door: client.door, method }
  try {
    const args = method === 'list' ? {} : recordedArguments(call)
    const texts = [client.name, client.version, call.server, call.tool, args]
    const { value, found } = await checks.check(
      { kind: 'record', value: texts, secrets: true },
      forRecord(call),
    )
    const [name, version, server, tool, cleanArgs] = value as [string, string, string, string, Json]
    const context = {
      ...owner,
      client: shortName(name),
      client_version: shortName(version),
      server: shortName(server),
      tool: shortName(tool),
    }
    const findings = found.map(({ rule, count }): AuditFinding => ({ layer: 'arguments', rule, count }))
    return { context, asked: { arguments: capped(cleanArgs), findings: filled(findings) } }
  } catch (error) {
    const isFull = error instanceof CodedError && error.code === 'SCRUB_QUEUE_FULL'
    const failed = call.method === 'model' ? 'MODEL_REQUEST_UNCHECKED' : 'SCRUB_FAILED'
    return { context: owner, asked: isFull ? 'SCRUB_QUEUE_FULL' : failed }
  }
}

function recordedArguments({ resolvedTool, arguments: args }: Call): JsonObject {
  return resolvedTool?.forRecord?.(args) ?? args
}

/** No record holds what is private to an agent. */
function forRecord(call: Call): CheckFor {
  return checkFor(call, undefined)
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
export async function describeOutcome(
  call: Call,
  result: Result,
  checks: RecordChecks,
): Promise<Partial<NewRecord>> {
  const { principal, target, findings, decision, rule, tokens, truncated } = call.trail
  const isPrivate = result.kind === 'answer' && result.isPrivate === true
  const notes = [
    ...call.trail.notes,
    ...(truncated === true ? ['the answer was cut to its budget'] : []),
    ...(isPrivate ? ['the answer is private context and is not kept'] : []),
  ]
  // An outcome is recorded also where nobody waits for it any more.
  const { signal: _, ...whose } = forRecord(call)
  const names = [principal?.instance ?? '', target?.server ?? '', target?.tool ?? '', notes]
  const { value } = await checks.check({ kind: 'record', value: names, secrets: true }, whose)
  const [instance, server, tool, cleanNotes] = value as [string, string, string, string[]]
  return {
    agent: principal?.agent ?? '',
    instance: principal?.instance && shortName(instance),
    level: principal?.level,
    target_server: target && shortName(server),
    target_tool: target && shortName(tool),
    // Whoever is refused before the rules are asked is refused all the same.
    decision: decision ?? (result.kind === 'refusal' ? 'deny' : undefined),
    rule,
    ...(isPrivate
      ? { output_bytes: Buffer.byteLength(resultText(result)) }
      : await outputOf(whose, result, checks)),
    tokens,
    found_c1: countOf(findings, 'C1'),
    found_c2: countOf(findings, 'C2'),
    findings: filled(findings),
    notes: filled(cleanNotes),
    error: errorOf(result),
  }
}

async function outputOf(
  whose: CheckFor,
  result: Result,
  { check, outputChars }: RecordChecks,
): Promise<Pick<NewRecord, 'output' | 'output_sha256' | 'output_bytes'>> {
  // What the tools said has passed the scrub stage, where its owner sees what is private; the stages outside it have not.
  const secrets = result.kind === 'refusal'
  const { value } = await check({ kind: 'record', value: resultText(result), secrets }, whose)
  const text = value as string
  return {
    output: text.slice(0, outputChars),
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
