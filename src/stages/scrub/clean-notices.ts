/** What a tool says while it runs. A notice that cannot be checked is lost; a question is not asked. */

import type { AskRequest, Call } from '../../core/call.ts'
import { sizeOf } from '../../core/checks.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Mutable } from '../../core/mutable.ts'

export interface NoticeOptions {
  readonly clean: <T extends Json>(value: T, root: string) => Promise<T>
  readonly onFailure: (error: unknown) => void
}

export interface CleanNotices {
  readonly call: Call
  /** Until every notice that was taken is out: nothing comes after the result. */
  settled(): Promise<void>
}

/** Characters of notices of one call that wait behind one that is being checked; what is more is lost. */
const maxWaiting = 16 << 20
/** What a notice takes besides its text. */
const perNotice = 256

export function withCleanNotices(call: Call, { clean, onFailure }: NoticeOptions): CleanNotices {
  const { onProgress, onLog, ask } = call
  let last = Promise.resolve()
  let waiting = 0
  /** One after the other, so that they come in the order in which they were said. */
  const inTurn = (notice: unknown, send: () => Promise<void>): void => {
    const size = sizeOf(notice, maxWaiting) + perNotice
    if (waiting + size > maxWaiting) return onFailure(new Error('too many notices wait to be checked'))
    waiting += size
    last = last
      .then(send)
      .catch(onFailure)
      .finally(() => {
        waiting -= size
      })
  }
  const cleaned: Mutable<Call> = { ...call }
  if (onProgress !== undefined) {
    cleaned.onProgress = (progress) =>
      inTurn(progress, async () => onProgress(await clean({ ...progress }, 'progress')))
  }
  if (onLog !== undefined) {
    cleaned.onLog = (level, message, logger) =>
      inTurn(message, async () =>
        onLog(
          level,
          await clean(message, 'log'),
          ...(logger === undefined ? [] : [await clean(logger, 'logger')]),
        ),
      )
  }
  if (ask !== undefined) {
    const askCleanly = async ({ kind, params }: AskRequest): Promise<JsonObject> => {
      await last
      return ask({ kind, params: await orRefuse(params) })
    }
    const orRefuse = async (params: JsonObject): Promise<JsonObject> => {
      try {
        return await clean(params, 'question')
      } catch (error) {
        onFailure(error)
        throw new ContextdError('SCRUB_FAILED')
      }
    }
    cleaned.ask = Object.assign(askCleanly, { kinds: ask.kinds, waits: ask.waits })
  }
  return { call: cleaned, settled: async () => last }
}
