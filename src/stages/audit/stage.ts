import type { Call } from '../../core/call.ts'
import type { RunCheck } from '../../core/checks.ts'
import { CodedError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { refusal, type Result } from '../../core/result.ts'
import type { Next, Stage } from '../../core/stage.ts'
import type { Log } from '../../platform/log.ts'
import { describeOutcome, describeRequest } from './call-record.ts'
import type { AuditLog } from './log.ts'
import type { NewRecord } from './record.ts'

export interface AuditStageOptions {
  readonly log: Pick<AuditLog, 'appendSoon'>
  readonly check: RunCheck
  readonly clock: Clock
  /** Max recorded length of an output. */
  readonly outputChars: number
  readonly report: Log
}

const withheld = ['it could not be checked for secrets and is withheld']

/**
 * The outermost stage: writes a record before the call proceeds, and one after it ended in any way. If the first
 * cannot be written, the call is refused; if the second cannot be written, its result is withheld.
 */
export function auditStage(options: AuditStageOptions): Stage {
  const { log, check, clock, outputChars, report } = options
  const checks = { check, outputChars }
  const write = async (record: NewRecord): Promise<number | undefined> => {
    try {
      return (await log.appendSoon(record)).seq
    } catch (error) {
      report('error', 'an audit record could not be written', { call: record.call, cause: String(error) })
      return undefined
    }
  }

  return async (call, next) => {
    const time = clock()
    const { context, request } = await describeRequest(call, checks)
    const isChecked = typeof request === 'object'
    const { deadline } = call
    const intent = await write({
      ...context,
      ...(isChecked ? request : { notes: withheld }),
      time,
      kind: 'intent',
      deadline,
    })
    if (intent === undefined) return refusal('AUDIT_FAILED')

    let result = isChecked ? await settle(call, next, report) : refusal(request)
    let outcomeFields: Partial<NewRecord>
    try {
      outcomeFields = await describeOutcome(call, result, checks)
    } catch {
      result = refusal('SCRUB_FAILED')
      outcomeFields = { error: 'SCRUB_FAILED', notes: withheld }
    }
    const ended = clock()
    const duration_ms = ended - time
    const outcome = await write({
      ...context,
      ...outcomeFields,
      time: ended,
      kind: 'outcome',
      intent,
      duration_ms,
    })
    return outcome === undefined ? refusal('AUDIT_FAILED') : result
  }
}

/** Runs the call and always returns a result. */
async function settle(call: Call, next: Next, report: Log): Promise<Result> {
  let result: Result
  try {
    result = await next(call)
  } catch (error) {
    if (!call.signal.aborted) report('error', 'a stage failed', { call: call.id, cause: String(error) })
    result =
      error instanceof CodedError
        ? refusal(error.code, error.details)
        : refusal('INTERNAL', { call: call.id })
  }
  return call.signal.aborted ? refusal('CANCELLED') : result
}
