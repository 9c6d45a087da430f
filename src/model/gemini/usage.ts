/** Model and usage as Gemini reports them. */

import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ModelReport, ModelUsage } from '../../core/model.ts'
import { readModelName, readTokens } from '../reported.ts'

export interface UsageReader {
  /** A response or one event of a stream. Each has the totals so far. */
  read(response: Json | undefined): void
  report(): ModelReport
}

/** `asked` is the model of the path, for responses that name none. */
export function createUsageReader(asked: string | undefined): UsageReader {
  let model = asked
  let usage: ModelUsage | undefined
  return {
    read(response) {
      if (!isJsonObject(response)) return
      model = readModelName(response.modelVersion) ?? model
      if (isJsonObject(response.usageMetadata)) usage = usageOf(response.usageMetadata)
    },
    report: () => ({ ...(model !== undefined && { model }), ...(usage !== undefined && { usage }) }),
  }
}

function usageOf(reported: JsonObject): ModelUsage {
  const tokens = (name: string): number => readTokens(reported[name]) ?? 0
  const cacheRead = tokens('cachedContentTokenCount')
  const input = tokens('promptTokenCount') - cacheRead + tokens('toolUsePromptTokenCount')
  const output = tokens('candidatesTokenCount') + tokens('thoughtsTokenCount')
  return { input: Math.max(input, 0), output, cacheRead, cacheWrite: 0 }
}
