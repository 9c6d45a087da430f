/** Pictures, sounds and files in MCP's content: with a token in its middle, what they hold in base64 is nothing any more. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** Where a block of content, or a part of a resource, has its base64. */
export function binaryField(item: JsonObject): 'data' | 'blob' | undefined {
  if ((item.type === 'image' || item.type === 'audio') && typeof item.data === 'string') return 'data'
  return typeof item.uri === 'string' && typeof item.blob === 'string' ? 'blob' : undefined
}

/** The block in its place: as valid to a client, and says why. */
export function withheldBlock(item: JsonObject, rules: readonly string[]): JsonObject {
  const what = item.type === 'image' ? 'Image' : item.type === 'audio' ? 'Audio' : 'File'
  const text = `${what} withheld by contextd: it contains a secret (${[...new Set(rules)].join(', ')}).`
  if (item.type === 'image' || item.type === 'audio') return { type: 'text', text }
  const { blob: _, ...rest } = item
  return { ...rest, mimeType: 'text/plain', text }
}

/** A block around a file that was withheld is a text itself: not every client shows the text of a resource. */
export function unwrapped(block: JsonObject, isWithheld: (item: Json) => boolean): JsonObject {
  const { type, resource } = block
  if (type !== 'resource' || !isJsonObject(resource) || !isWithheld(resource)) return block
  return { type: 'text', text: resource.text as string }
}
