import type { JsonObject } from '@contextd/shared/json/value'
import type { ModelUsage } from '../../core/model.ts'
import { readTokens } from '../wire/reported.ts'
import type { UsageFormat } from '../wire/usage-reader.ts'

/** Usage as reported by the Messages API. */
export const anthropicUsage: UsageFormat = { model: 'model', usage: 'usage', usageOf }

const fields = [
  ['input', 'input_tokens'],
  ['output', 'output_tokens'],
  ['cacheRead', 'cache_read_input_tokens'],
  ['cacheWrite', 'cache_creation_input_tokens'],
] as const

/** Numbers are totals of the message: a later event replaces the ones it contains. */
function usageOf(reported: JsonObject, before: ModelUsage | undefined): ModelUsage | undefined {
  const named = fields.flatMap(([name, field]): [string, number][] => {
    const tokens = readTokens(reported[field])
    return tokens === undefined ? [] : [[name, tokens]]
  })
  if (named.length === 0) return before
  const known = before ?? { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }
  return { ...known, ...Object.fromEntries(named) }
}
