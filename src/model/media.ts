/** What a request may contain besides text: documents and media, by their media type. */

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

/** Longer than the head of any real data URL; a document behind it is not searched for a comma. */
const maxHead = 256

/** The kind of a base64 data URL; undefined for every other string. Only the head of the string is read. */
export function dataUrlKindAt(text: string, node: StringNode): MediaKind | undefined {
  const raw = text.slice(node.start + 1, Math.min(node.end - 1, node.start + 1 + maxHead))
  // Some encoders escape the slash of the media type.
  const head = raw
    .slice(0, Math.max(raw.indexOf(','), 0))
    .replaceAll('\\/', '/')
    .toLowerCase()
  if (!head.startsWith('data:') || !head.endsWith(';base64')) return undefined
  return mediaKindOf(head.slice('data:'.length))
}

/** `%PDF-` in base64, for formats in which a PDF may come without its media type. */
export function isBase64Pdf(text: string, node: StringNode): boolean {
  return text.startsWith('JVBERi0', node.start + 1)
}
