/** JSON of a response, read and changed in place. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { InvalidJson, memberOf, parseJsonSpans, type JsonNode } from './json-spans.ts'
import { replaceSpans } from './replace-spans.ts'
import { withData, type SseEvent } from './sse.ts'

/** The object that a text means, empty where it means none. */
export function objectOf(text = ''): JsonObject {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

/** Undefined where the text is not JSON: then it passes as it is, and tokens stay tokens. */
export function nodeOf(text: string): JsonNode | undefined {
  try {
    return parseJsonSpans(text)
  } catch (error) {
    if (error instanceof InvalidJson) return undefined
    throw error
  }
}

/** The event with another text in one string of its data; `path` leads to it from the outermost object. */
export function withText(event: SseEvent, path: readonly string[], text: string): Buffer {
  const data = event.data ?? ''
  const place = path.reduce((node, name) => memberOf(data, node, name), nodeOf(data))
  if (place === undefined) return event.raw
  return withData(event, replaceSpans(data, [{ ...place, text: JSON.stringify(text) }]))
}
