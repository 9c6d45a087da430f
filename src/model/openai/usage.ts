import type { JsonObject } from '@contextd/shared/json/value'
import type { ModelUsage } from '../../core/model.ts'
import { countIn, type UsageFormat } from '../wire/usage-reader.ts'

/** Usage as reported by both of OpenAI's formats. */
export const openaiUsage: UsageFormat = { model: 'model', usage: 'usage', usageOf }

function usageOf(reported: JsonObject): ModelUsage {
  const details = reported.input_tokens_details ?? reported.prompt_tokens_details
  const cacheRead = countIn(details, 'cached_tokens')
  // Only newer models report it. Like cached tokens, it is included in the input.
  const cacheWrite = countIn(details, 'cache_write_tokens')
  const input = countIn(reported, 'input_tokens') + countIn(reported, 'prompt_tokens')
  const output = countIn(reported, 'output_tokens') + countIn(reported, 'completion_tokens')
  return { input: Math.max(input - cacheRead - cacheWrite, 0), output, cacheRead, cacheWrite }
}
