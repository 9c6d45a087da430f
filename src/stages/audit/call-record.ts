/** How a call and its result are recorded. Pure: the checks are a parameter. */

import { hash } from 'node:crypto'

import type { Call } from '../../core/call.ts'
import { checkFor, type CheckFor, type RunCheck } from '../../core/checks.ts'
import { CodedError, errorCatalogue, type ErrorCode } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../core/result.ts'
import type { AuditFinding, NewRecord } from './record.ts'

/** Max recorded arguments, as JSON text. */
const maxArgumentChars = 16_384
/** Max length of recorded names: callers choose them, and both records contain them. */
const maxNameChars = 256

export interface RecordChecks {
  readonly check: RunCheck
  /** Max recorded length of an output. */
  readonly outputChars: number
}

export interface DescribedRequest {
  /** Part of both records of a call. */
  readonly context: Omit<NewRecord, 'time' | 'kind'>
  /** An error code if the request could not be checked for secrets: then the call must not proceed. */
  readonly request:
    | Pick<NewRecord, 'arguments' | 'findings'>
    | 'SCRUB_FAILED'
    | 'MODEL_REQUEST_UNCHECKED'
    | 'SCRUB_QUEUE_FULL'
}

/** Describes the caller and the request, masked and scrubbed. */
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
      recordCheckFor(call),
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
    return {
      context,
      request: { arguments: truncatedArguments(cleanArgs), findings: undefinedIfEmpty(findings) },
    }
  } catch (error) {
    const isFull = error instanceof CodedError && error.code === 'SCRUB_QUEUE_FULL'
    const failed = call.method === 'model' ? 'MODEL_REQUEST_UNCHECKED' : 'SCRUB_FAILED'
    return { context: owner, request: isFull ? 'SCRUB_QUEUE_FULL' : failed }
  }
}

function recordedArguments({ resolvedTool, arguments: args }: Call): JsonObject {
  return resolvedTool?.forRecord?.(args) ?? args
}

/** Records never contain an agent's private context. */
function recordCheckFor(call: Call): CheckFor {
  return checkFor(call, undefined)
}

/** Truncated only after scrubbing: a secret cut in two would not be recognized. */
function shortName(name: string): string {
  return name.length <= maxNameChars ? name : `${name.slice(0, maxNameChars - 1)}…`
}

/** The arguments, or the start of their JSON text. */
function truncatedArguments(args: Json): Json {
  const text = JSON.stringify(args)
  return text.length <= maxArgumentChars ? args : text.slice(0, maxArgumentChars)
}

/** Describes the result, masked and scrubbed. Throws if it cannot be checked. */
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
    ...(isPrivate ? ['the answer is private context and is not stored'] : []),
  ]
  // The outcome is recorded even if the caller no longer waits for it.
  const { signal: _, ...whose } = recordCheckFor(call)
  const names = [principal?.instance ?? '', target?.server ?? '', target?.tool ?? '', notes]
  const { value } = await checks.check({ kind: 'record', value: names, secrets: true }, whose)
  const [instance, server, tool, cleanNotes] = value as [string, string, string, string[]]
  return {
    agent: principal?.agent ?? '',
    instance: principal?.instance && shortName(instance),
    level: principal?.level,
    target_server: target && shortName(server),
    target_tool: target && shortName(tool),
    // A refusal before the rules were evaluated is still recorded as denied.
    decision: decision ?? (result.kind === 'refusal' ? 'deny' : undefined),
    rule,
    ...(isPrivate
      ? { output_bytes: Buffer.byteLength(resultText(result)) }
      : await outputOf(whose, result, checks)),
    tokens,
    found_c1: countOf(findings, 'C1'),
    found_c2: countOf(findings, 'C2'),
    findings: undefinedIfEmpty(findings),
    notes: undefinedIfEmpty(cleanNotes),
    error: errorOf(result),
  }
}

async function outputOf(
  whose: CheckFor,
  result: Result,
  { check, outputChars }: RecordChecks,
): Promise<Pick<NewRecord, 'output' | 'output_sha256' | 'output_bytes'>> {
  // Tool results passed the scrub stage, for a reader that may see its private context; refusals of outer stages did
  // not.
  const secrets = result.kind === 'refusal'
  const { value } = await check({ kind: 'record', value: resultText(result), secrets }, whose)
  const text = value as string
  return {
    output: text.slice(0, outputChars),
    output_sha256: hash('sha256', text),
    output_bytes: Buffer.byteLength(text),
  }
}

/** The result as one text, as the agent saw it. */
export function resultText(result: Result): string {
  switch (result.kind) {
    case 'answer': {
      const { content, structured, own } = result
      const parts = content.map((block) =>
        block.type === 'text' && typeof block.text === 'string' ? block.text : JSON.stringify(block),
      )
      // The text of our own tools is rendered from the structured content.
      if (structured !== undefined && !(own && parts.length > 0)) parts.push(JSON.stringify(structured))
      return parts.join('\n')
    }
    case 'payload':
      return JSON.stringify(result.value)
    case 'input_required':
      return JSON.stringify(result.requests)
    case 'refusal':
    case 'fault':
      return JSON.stringify(result.error)
  }
}

function undefinedIfEmpty<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list
}

function countOf(findings: readonly AuditFinding[], layer: AuditFinding['layer']): number {
  return findings.reduce((sum, finding) => (finding.layer === layer ? sum + finding.count : sum), 0)
}

/** The code of a refusal or of a failed tool. Other servers cannot cause one of our codes to be recorded. */
function errorOf(result: Result): ErrorCode | undefined {
  if (result.kind === 'refusal') return result.error.code
  if (result.kind === 'fault') return 'TOOL_FAILED'
  if (result.kind !== 'answer' || result.isError !== true) return undefined
  if (result.isOurError !== true) return 'TOOL_FAILED'
  const error = isJsonObject(result.structured) ? result.structured.error : undefined
  const code = isJsonObject(error) ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(errorCatalogue, code) ? (code as ErrorCode) : 'TOOL_FAILED'
}
