/** Model and usage as the Messages API reports them, over the events of a stream or in a whole response. */

import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ModelReport, ModelUsage } from '../../core/model.ts'
import type { Mutable } from '../../core/mutable.ts'
import { readModelName, readTokens } from '../reported.ts'

export interface UsageReader {
  /** A message, or the part of one that an event carries. */
  read(message: Json | undefined): void
  report(): ModelReport
}

const fields = [
  ['input', 'input_tokens'],
  ['output', 'output_tokens'],
  ['cacheRead', 'cache_read_input_tokens'],
  ['cacheWrite', 'cache_creation_input_tokens'],
] as const

export function createUsageReader(): UsageReader {
  let model: string | undefined
  let usage: Mutable<ModelUsage> | undefined

  const readUsage = (reported: JsonObject): void => {
    for (const [name, field] of fields) {
      const tokens = readTokens(reported[field])
      if (tokens === undefined) continue
      usage ??= { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
      // Numbers are totals of the message: a later event replaces what an earlier one said.
      usage[name] = tokens
    }
  }
  return {
    read(message) {
      if (!isJsonObject(message)) return
      model = readModelName(message.model) ?? model
      if (isJsonObject(message.usage)) readUsage(message.usage)
    },
    report: () => ({
      ...(model !== undefined && { model }),
      ...(usage !== undefined && { usage: { ...usage } }),
    }),
  }
}
