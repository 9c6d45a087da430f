/** Scrubs what a tool sends while it runs. A notice that cannot be checked is dropped; a question is not asked. */

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
  /** Resolves when every accepted notice has been sent, so that none follows the result. */
  settled(): Promise<void>
}

/** Max characters of a call's notices that wait to be checked; further ones are dropped. */
const maxWaiting = 16 << 20
/** Overhead of a notice. */
const noticeOverhead = 256

export function withCleanNotices(call: Call, { clean, onFailure }: NoticeOptions): CleanNotices {
  const { onProgress, onLog, ask } = call
  let last = Promise.resolve()
  let waiting = 0
  /** One after the other, to preserve their order. */
  const inTurn = (notice: unknown, send: () => Promise<void>): void => {
    const size = sizeOf(notice, maxWaiting) + noticeOverhead
    if (waiting + size > maxWaiting) return onFailure(new Error('too many notices are waiting to be checked'))
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
    const askScrubbed = async ({ kind, params }: AskRequest): Promise<JsonObject> => {
      await last
      return ask({ kind, params: await scrubbedParams(params) })
    }
    const scrubbedParams = async (params: JsonObject): Promise<JsonObject> => {
      try {
        return await clean(params, 'question')
      } catch (error) {
        onFailure(error)
        throw new ContextdError('SCRUB_FAILED')
      }
    }
    cleaned.ask = Object.assign(askScrubbed, { kinds: ask.kinds, waits: ask.waits })
  }
  return { call: cleaned, settled: async () => last }
}
