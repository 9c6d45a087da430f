/** Reads JSON of a response and changes it in place. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { InvalidJson, memberOf, parseJsonSpans, type JsonNode } from './json-spans.ts'
import { replaceSpans } from './replace-spans.ts'
import { withData, type SseEvent } from './sse.ts'

/** The object in a JSON text; empty if it is anything else. */
export function objectOf(text = ''): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Undefined if the text is not JSON: it then passes unchanged, and tokens are not restored. */
export function nodeOf(text: string): JsonNode | undefined {
  try {
    return parseJsonSpans(text)
  } catch (error) {
    if (error instanceof InvalidJson) return undefined
    throw error
  }
}

/** Replaces one string in an event's data; `path` leads to it from the root object. */
export function withText(event: SseEvent, path: readonly string[], text: string): Buffer {
  const data = event.data ?? ''
  const place = path.reduce((node, name) => memberOf(data, node, name), nodeOf(data))
  if (place === undefined) return event.raw
  return withData(event, replaceSpans(data, [{ ...place, text: JSON.stringify(text) }]))
}
