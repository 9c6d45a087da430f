/**
 * Rewrites responses of generateContent and its streaming variant. The arguments of a function call arrive complete
 * in one part, so each event is changed separately and none is held. Tokens in partial arguments (`partialArgs`, an
 * option of Vertex AI) are not restored.
 */

import type { JsonObject } from '@contextd/shared/json/value'
import type { CreateRewriter, ModelUsage } from '../../core/model.ts'
import { derivedId } from '../wire/derived-ids.ts'
import type { Endpoint, RestoreInput } from '../wire/dialect.ts'
import { itemsOf, memberOf, type JsonNode } from '../wire/json-spans.ts'
import { replaceSpans, type SpanChange } from '../wire/replace-spans.ts'
import { mayContainToken } from '../wire/held-input.ts'
import { nodeOf, objectOf } from '../wire/response-json.ts'
import { createResponseRewriter, type ResponseFormat } from '../wire/response-rewriter.ts'
import { withData } from '../wire/sse.ts'
import { countIn, createUsageReader, type UsageFormat } from '../wire/usage-reader.ts'
import { rewriteArray } from './array-stream.ts'
import { functionCallOf } from './function-calls.ts'

export function geminiRewriter(endpoint: Endpoint, restore: RestoreInput): CreateRewriter {
  return (head) => {
    const format = createFormat(endpoint.model, restore)
    const isArray = endpoint.shape === 'stream' && head.contentType.startsWith('application/json')
    const isSuccess = head.status >= 200 && head.status <= 299
    return isArray && isSuccess ? rewriteArray(format) : createResponseRewriter(head, format)
  }
}

function createFormat(model: string | undefined, restore: RestoreInput): ResponseFormat {
  const usage = createUsageReader(geminiUsage, model)
  const whole = async (text: string): Promise<string> => {
    usage.read(objectOf(text))
    return mayContainToken(text) ? restoreCalls(text, restore) : text
  }
  return {
    async event(event) {
      if (event.data === undefined) return [event.raw]
      const changed = await whole(event.data)
      return [changed === event.data ? event.raw : withData(event, changed)]
    },
    endOfEvents: () => [],
    whole,
    report: () => usage.report(),
  }
}

async function restoreCalls(text: string, restore: RestoreInput): Promise<string> {
  const changes: SpanChange[] = []
  for (const part of partsOf(text, nodeOf(text))) {
    const call = functionCallOf(text, part)
    if (call === undefined) continue
    const { id, hasOwnId, tool, input } = call
    const original = text.slice(input.start, input.end)
    if (!mayContainToken(original)) continue
    const idOf = hasOwnId ? {} : { idOf: (restored: string) => derivedId(tool, restored) }
    const restored = await restore({ id, ...idOf, tool, text: original, form: 'json' })
    if (restored !== original) changes.push({ start: input.start, end: input.end, text: restored })
  }
  return replaceSpans(text, changes)
}

function partsOf(text: string, response: JsonNode | undefined): JsonNode[] {
  return itemsOf(memberOf(text, response, 'candidates')).flatMap((candidate) =>
    itemsOf(memberOf(text, memberOf(text, candidate, 'content'), 'parts')),
  )
}

/** Usage as reported by Gemini: each event of a stream contains the totals so far. */
export const geminiUsage: UsageFormat = { model: 'modelVersion', usage: 'usageMetadata', usageOf }

function usageOf(reported: JsonObject): ModelUsage {
  const cacheRead = countIn(reported, 'cachedContentTokenCount')
  const input =
    countIn(reported, 'promptTokenCount') - cacheRead + countIn(reported, 'toolUsePromptTokenCount')
  const output = countIn(reported, 'candidatesTokenCount') + countIn(reported, 'thoughtsTokenCount')
  return { input: Math.max(input, 0), output, cacheRead, cacheWrite: 0 }
}
