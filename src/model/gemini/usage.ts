import type { JsonObject } from '@contextd/shared/json/value'
import type { ModelUsage } from '../../core/model.ts'
import { countIn, type UsageFormat } from '../wire/usage-reader.ts'

/** Usage as reported by Gemini: each event of a stream contains the totals so far. */
export const geminiUsage: UsageFormat = { model: 'modelVersion', usage: 'usageMetadata', usageOf }

function usageOf(reported: JsonObject): ModelUsage {
  const cacheRead = countIn(reported, 'cachedContentTokenCount')
  const input =
    countIn(reported, 'promptTokenCount') - cacheRead + countIn(reported, 'toolUsePromptTokenCount')
  const output = countIn(reported, 'candidatesTokenCount') + countIn(reported, 'thoughtsTokenCount')
  return { input: Math.max(input, 0), output, cacheRead, cacheWrite: 0 }
}
