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
  /** How much of an output is kept. */
  readonly outputChars: number
  readonly report: Log
}

const withheld = ['it could not be checked for secrets and is withheld']

/**
 * Outermost: a record before the call goes on and one after it ended, however it ended. What cannot be
 * recorded does not happen: without the first the call is refused, without the second its answer is withheld.
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
    const { context, asked } = await describeRequest(call, checks)
    const isChecked = typeof asked === 'object'
    const { deadline } = call
    const intent = await write({
      ...context,
      ...(isChecked ? asked : { notes: withheld }),
      time,
      kind: 'intent',
      deadline,
    })
    if (intent === undefined) return refusal('AUDIT_FAILED')

    let result = isChecked ? await settle(call, next, report) : refusal(asked)
    let seen: Partial<NewRecord>
    try {
      seen = await describeOutcome(call, result, checks)
    } catch {
      result = refusal('SCRUB_FAILED')
      seen = { error: 'SCRUB_FAILED', notes: withheld }
    }
    const ended = clock()
    const duration_ms = ended - time
    const outcome = await write({ ...context, ...seen, time: ended, kind: 'outcome', intent, duration_ms })
    return outcome === undefined ? refusal('AUDIT_FAILED') : result
  }
}

/** Lets the call go on and brings back a result, whatever happens. */
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
