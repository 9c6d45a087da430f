import { hash } from 'node:crypto'

import type { Call } from '../../core/call.ts'
import { ContextdError, errorCatalogue, type ErrorCode } from '../../core/errors.ts'
import { isJsonObject, mapStrings, type Json } from '../../core/json.ts'
import type { Clock, Scrub } from '../../core/ports.ts'
import { refusal, type Result } from '../../core/result.ts'
import type { Next, Stage } from '../../core/stage.ts'
import type { Log } from '../../platform/log.ts'
import type { AuditLog } from './log.ts'
import type { AuditFinding, NewRecord } from './record.ts'
import { resultText } from './result-text.ts'

export interface AuditStageOptions {
  readonly log: Pick<AuditLog, 'append'>
  readonly scrub: Scrub
  readonly clock: Clock
  /** How much of an output is kept. */
  readonly outputChars: number
  readonly report: Log
}

/** How much of the arguments is kept, as JSON text. */
const argumentChars = 16_384

type Clean = (text: string) => string

/**
 * Outermost: a record before the call goes on and one after it ended, however it ended. What cannot be recorded does
 * not happen: without the first the call is refused, without the second its answer is withheld.
 */
export function auditStage({ log, scrub, clock, outputChars, report }: AuditStageOptions): Stage {
  const isWritten = (record: NewRecord): boolean => {
    try {
      log.append(record)
      return true
    } catch (error) {
      report('error', 'an audit record could not be written', { call: record.call, cause: String(error) })
      return false
    }
  }

  return async (call, next) => {
    const started = clock()
    const clean: Clean = (text) => scrub(text, call).text
    const request = describeRequest(call, scrub)
    const intent = { ...request, time: started, kind: 'intent', deadline: call.deadline } as const
    if (!isWritten(intent)) return refusal('AUDIT_FAILED')

    let result = request.arguments === undefined ? refusal('SCRUB_FAILED') : await settle(call, next, report)
    let outcome: Partial<NewRecord>
    try {
      outcome = describeOutcome(call, result, outputChars, clean)
    } catch {
      result = refusal('SCRUB_FAILED')
      outcome = {
        error: 'SCRUB_FAILED',
        notes: ['the outcome could not be checked for secrets and is withheld'],
      }
    }
    const ended = clock()
    const { arguments: _, findings: __, ...context } = request
    const record = {
      ...context,
      ...outcome,
      time: ended,
      kind: 'outcome',
      duration_ms: ended - started,
    } as const
    return isWritten(record) ? result : refusal('AUDIT_FAILED')
  }
}

type Request = Omit<NewRecord, 'time' | 'kind'>

/** Who asked for what, scrubbed. Without `arguments` where they could not be checked: then the call must not go on. */
function describeRequest(call: Call, scrub: Scrub): Request {
  const { id, tenant, project, session, user, client, method } = call
  const owner = { call: id, tenant, project, session, agent: '', user, door: client.door, method }
  const counts = new Map<string, number>()
  const clean: Clean = (text) => {
    const { text: cleaned, findings } = scrub(text, call)
    for (const { rule } of findings) counts.set(rule, (counts.get(rule) ?? 0) + 1)
    return cleaned
  }
  try {
    const args = method === 'list' ? {} : mapStrings(call.arguments, clean)
    return {
      ...owner,
      client: clean(client.name),
      client_version: clean(client.version),
      server: clean(call.server),
      tool: clean(call.tool),
      arguments: capped(args),
      findings:
        counts.size === 0
          ? undefined
          : [...counts].map(([rule, count]) => ({ layer: 'arguments', rule, count })),
    }
  } catch {
    return { ...owner, notes: ['the request could not be checked for secrets and is withheld'] }
  }
}

/** The arguments themselves, or the start of their text. */
function capped(args: Json): Json {
  const text = JSON.stringify(args)
  return text.length <= argumentChars ? args : text.slice(0, argumentChars)
}

/** Lets the call go on and brings back a result, whatever happens. */
async function settle(call: Call, next: Next, report: Log): Promise<Result> {
  let result: Result
  try {
    result = await next(call)
  } catch (error) {
    if (!call.signal.aborted) report('error', 'a stage failed', { call: call.id, cause: String(error) })
    result =
      error instanceof ContextdError
        ? refusal(error.code, error.details)
        : refusal('INTERNAL', { call: call.id })
  }
  return call.signal.aborted ? refusal('CANCELLED') : result
}

function describeOutcome(
  { trail }: Call,
  result: Result,
  outputChars: number,
  clean: Clean,
): Partial<NewRecord> {
  const { principal, target, findings } = trail
  // What the tools said has passed the scrub stage; what the stages outside it said has not.
  const text = result.kind === 'refusal' ? clean(resultText(result)) : resultText(result)
  return {
    agent: principal?.agent ?? '',
    instance: principal?.instance && clean(principal.instance),
    level: principal?.level,
    target_server: target && clean(target.server),
    target_tool: target && clean(target.tool),
    decision: trail.decision,
    rule: trail.rule,
    output: text.slice(0, outputChars),
    output_sha256: hash('sha256', text),
    output_bytes: Buffer.byteLength(text),
    tokens: trail.tokens,
    found_c1: countOf(findings, 'C1'),
    found_c2: countOf(findings, 'C2'),
    findings: findings.length === 0 ? undefined : findings,
    notes: trail.notes.length === 0 ? undefined : trail.notes.map(clean),
    error: errorOf(result),
  }
}

function countOf(findings: readonly AuditFinding[], layer: AuditFinding['layer']): number {
  return findings.reduce((sum, finding) => (finding.layer === layer ? sum + finding.count : sum), 0)
}

/** The code of a refusal, or of a tool that ran and failed. */
function errorOf(result: Result): ErrorCode | undefined {
  if (result.kind === 'refusal') return result.error.code
  if (result.kind !== 'answer' || result.isError !== true) return undefined
  const error = isJsonObject(result.structured) ? result.structured.error : undefined
  const code = isJsonObject(error) ? error.code : undefined
  return typeof code === 'string' && Object.hasOwn(errorCatalogue, code) ? (code as ErrorCode) : 'TOOL_FAILED'
}
