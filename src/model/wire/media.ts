/** What a request may contain besides text: documents and media, by their media type. */

import { fileKind } from '../../platform/files/file-kind.ts'
import type { StringNode } from './json-spans.ts'

/** `opaque` passes as it is (images, sound, PDF), `text` is scrubbed decoded, `other` is scrubbed like any string. */
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
  // An SVG image is a text, so this comes first.
  if (type.startsWith('text/') || textTypes.has(type) || textSuffixes.some((end) => type.endsWith(end))) {
    return 'text'
  }
  const [family] = type.split('/', 1)
  const isOpaque =
    family === 'image' || family === 'audio' || family === 'video' || type === 'application/pdf'
  return isOpaque ? 'opaque' : 'other'
}

/** A shorter text says too little to be taken for one. */
const minTextBytes = 32
const headLength = 256

/**
 * The kind of base64 data by its media type, except that a text is a text whatever it is called: clients go by the name of
 * a file, and `.ts` is a video to some. `from` is where the data begins in the string.
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

/** Longer than the head of any real data URL; a document behind it is not searched for a comma. */
const maxHead = 256

/** The kind of a base64 data URL; undefined for every other string. Only the head of the string is read. */
export function dataUrlKindAt(text: string, node: StringNode): MediaKind | undefined {
  const raw = text.slice(node.start + 1, Math.min(node.end - 1, node.start + 1 + maxHead))
  const comma = raw.indexOf(',')
  // Some encoders escape the slash of the media type.
  const head = raw.slice(0, Math.max(comma, 0)).replaceAll('\\/', '/').toLowerCase()
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return undefined
  return dataKindAt(text, node, head.slice('data:'.length), comma + 1)
}

/** `%PDF-` in base64, for formats in which a PDF may come without its media type. */
export function isBase64Pdf(text: string, node: StringNode): boolean {
  return text.startsWith('JVBERi0', node.start + 1)
}
