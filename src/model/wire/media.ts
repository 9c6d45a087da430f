/** Classifies the content of a request by media type: text documents and other media. */

import { fileKind } from '../../platform/files/file-kind.ts'
import type { StringNode } from './json-spans.ts'

/**
 * `opaque` passes unchanged (images, sound, PDF), `text` is decoded and scrubbed, `other` is scrubbed like any
 * string.
 */
export type MediaKind = 'text' | 'opaque' | 'other'

const textTypes = new Set([
  'application/ecmascript',
  'application/javascript',
  'application/json',
  'application/sql',
  'application/toml',
  'application/typescript',
  'application/x-httpd-php',
  'application/x-ndjson',
  'application/x-sh',
  'application/x-yaml',
  'application/xml',
  'application/yaml',
])
const textSuffixes = ['+json', '+xml', '+yaml']

export function mediaKindOf(mediaType: string): MediaKind {
  const type = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase()
  // An SVG image is text, so this check comes first.
  if (type.startsWith('text/') || textTypes.has(type) || textSuffixes.some((end) => type.endsWith(end))) {
    return 'text'
  }
  const [family] = type.split('/', 1)
  const isOpaque =
    family === 'image' || family === 'audio' || family === 'video' || type === 'application/pdf'
  return isOpaque ? 'opaque' : 'other'
}

/** A shorter text is too short to be recognized as one. */
const minTextBytes = 32
const headLength = 256

/**
 * The kind of base64 data by its media type. Text is recognized regardless of its media type, because clients derive
 * that from the file name, and some map `.ts` to a video type. `from` is where the data starts in the string.
 */
export function dataKindAt(text: string, node: StringNode, mediaType: string, from = 0): MediaKind {
  const kind = mediaKindOf(mediaType)
  if (kind !== 'opaque') return kind
  const start = node.start + 1 + from
  const head = text.slice(start, Math.min(node.end - 1, start + headLength)).replaceAll('\\/', '/')
  const bytes = Buffer.from(head, 'base64')
  const found = bytes.length < minTextBytes ? undefined : fileKind(bytes, false)
  return found?.kind === 'text' && found.encoding === 'utf-8' ? 'text' : 'opaque'
}

/** Longer than the head of any real data URL, so that a long document is not searched for a comma. */
const maxHeadLength = 256

/** The kind of a base64 data URL; undefined for other strings. Only the head of the string is read. */
export function dataUrlKindAt(text: string, node: StringNode): MediaKind | undefined {
  const raw = text.slice(node.start + 1, Math.min(node.end - 1, node.start + 1 + maxHeadLength))
  const comma = raw.indexOf(',')
  // Some encoders escape the slash in the media type.
  const head = raw.slice(0, Math.max(comma, 0)).replaceAll('\\/', '/').toLowerCase()
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return undefined
  return dataKindAt(text, node, head.slice('data:'.length), comma + 1)
}

/** `%PDF-` in base64, for formats in which a PDF may lack a media type. */
export function isBase64Pdf(text: string, node: StringNode): boolean {
  return text.startsWith('JVBERi0', node.start + 1)
}
