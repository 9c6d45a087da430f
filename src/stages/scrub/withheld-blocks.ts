/** Withholds images, sounds and files with secrets: a token inside would corrupt their base64 data. */

import { fileKind, headBytes } from '../../platform/files/file-kind.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** The field of a content block or resource part that contains base64. */
export function binaryField(item: JsonObject): 'data' | 'blob' | undefined {
  if ((item.type === 'image' || item.type === 'audio') && typeof item.data === 'string') return 'data'
  return typeof item.uri === 'string' && typeof item.blob === 'string' ? 'blob' : undefined
}

/** A shorter run of printable characters occurs in any image. */
const minRunLength = 16

/**
 * What to search for secrets: the base64 itself, or the plain text in the metadata of an image. The base64 of an image
 * contains everything that looks random, and so do its pixels.
 */
export function readableText(base64: string): string {
  const head = Buffer.from(base64.slice(0, Math.ceil(headBytes / 3) * 4), 'base64')
  if (fileKind(head, false).kind !== 'image') return base64
  const bytes = Buffer.from(base64, 'base64').toString('latin1')
  const runs = bytes.match(/[\t\n\r -~]+/g) ?? []
  // UTF-16, as in the comments of photos. The last character of the big-endian form has no zero after it.
  const wide = bytes.match(/(?:[\t\n\r -~]\0)+[\t\n\r -~]?/g) ?? []
  return [...runs, ...wide.map((run) => run.replaceAll('\0', ''))]
    .filter((run) => run.length >= minRunLength)
    .join('\n')
}

/** The replacement: a valid block that states the reason. */
export function withheldBlock(item: JsonObject, rules: readonly string[]): JsonObject {
  const what = item.type === 'image' ? 'Image' : item.type === 'audio' ? 'Audio' : 'File'
  const text = `${what} withheld by contextd: it contains a secret (${[...new Set(rules)].join(', ')}).`
  if (item.type === 'image' || item.type === 'audio') return { type: 'text', text }
  const { blob: _, ...rest } = item
  return { ...rest, mimeType: 'text/plain', text }
}

/** A block around a withheld file becomes text itself, because not every client shows the text of a resource. */
export function unwrapped(block: JsonObject, isWithheld: (item: Json) => boolean): JsonObject {
  const { type, resource } = block
  if (type !== 'resource' || !isJsonObject(resource) || !isWithheld(resource)) return block
  return { type: 'text', text: resource.text as string }
}
