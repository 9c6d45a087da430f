/** Model and usage as both formats of OpenAI report them. */

import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ModelReport, ModelUsage } from '../../core/model.ts'
import { readModelName, readTokens } from '../reported.ts'

export interface UsageReader {
  /** A response or a chunk of one. */
  read(response: Json | undefined): void
  report(): ModelReport
}

export function createUsageReader(): UsageReader {
  let model: string | undefined
  let usage: ModelUsage | undefined
  return {
    read(response) {
      if (!isJsonObject(response)) return
      model = readModelName(response.model) ?? model
      if (isJsonObject(response.usage)) usage = usageOf(response.usage)
    },
    report: () => ({ ...(model !== undefined && { model }), ...(usage !== undefined && { usage }) }),
  }
}

function usageOf(reported: JsonObject): ModelUsage {
  const details = reported.input_tokens_details ?? reported.prompt_tokens_details
  const cacheRead = tokensIn(details, 'cached_tokens')
  // Only newer models report it. Like what was read, it is part of the input.
  const cacheWrite = tokensIn(details, 'cache_write_tokens')
  const input = tokensIn(reported, 'input_tokens') + tokensIn(reported, 'prompt_tokens')
  const output = tokensIn(reported, 'output_tokens') + tokensIn(reported, 'completion_tokens')
  return { input: Math.max(input - cacheRead - cacheWrite, 0), output, cacheRead, cacheWrite }
}

function tokensIn(value: Json | undefined, name: string): number {
  return (isJsonObject(value) ? readTokens(value[name]) : undefined) ?? 0
}
