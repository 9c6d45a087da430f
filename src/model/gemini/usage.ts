/** Model and usage as Gemini reports them. */

import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { ModelReport, ModelUsage } from '../../core/model.ts'

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
      if (typeof response.modelVersion === 'string') model = response.modelVersion
      if (isJsonObject(response.usageMetadata)) usage = usageOf(response.usageMetadata)
    },
    report: () => ({ ...(model !== undefined && { model }), ...(usage !== undefined && { usage }) }),
  }
}

function usageOf(reported: JsonObject): ModelUsage {
  const tokens = (name: string): number => {
    const count = reported[name]
    return typeof count === 'number' ? count : 0
  }
  const cacheRead = tokens('cachedContentTokenCount')
  const input = tokens('promptTokenCount') - cacheRead + tokens('toolUsePromptTokenCount')
  const output = tokens('candidatesTokenCount') + tokens('thoughtsTokenCount')
  return { input: Math.max(input, 0), output, cacheRead, cacheWrite: 0 }
}
