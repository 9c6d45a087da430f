/** Decodes a response body: text if it is text, otherwise a short description. */

import { counted } from '@contextd/shared/text/counted'

export interface ShownBody {
  readonly text?: string
  /** `image/png, 2048 bytes`, if there is no text. */
  readonly description?: string
}

/** Formats that may start like text but are not. */
const neverText = /^(?:image\/(?!svg)|audio\/|video\/|font\/|application\/(?:pdf|zip|gzip|octet-stream|wasm))/

/**
 * Decoded with the server's charset, otherwise as UTF-8; text that is neither is decoded as windows-1252, as browsers
 * do.
 */
export function readableBody(
  body: Uint8Array,
  { contentType = '', truncated = false, packed = false },
): ShownBody {
  const type = mediaType(contentType)
  const description = `${type || 'unknown format'}, ${counted(body.length, 'byte')}`
  if (packed) return { description: `${description}, compressed in a way that cannot be read` }
  if (body.length === 0) return { text: '' }
  const named = /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1]
  const isText = type.startsWith('text/')
  const charsets =
    named === undefined ? [markOf(body) ?? 'utf-8', ...(isText ? ['windows-1252'] : [])] : [named]
  if (neverText.test(type) || (!isText && named === undefined && hasZero(body))) return { description }
  for (const charset of charsets) {
    const text = decode(body, charset, truncated)
    if (text !== undefined) return { text }
  }
  return { description }
}

/** Contains no line breaks: it is shown to people and models. */
function mediaType(contentType: string): string {
  return /^[\w.+-]{1,64}\/[\w.+-]{1,64}/.exec(contentType)?.[0].toLowerCase() ?? ''
}

function markOf(body: Uint8Array): string | undefined {
  if (body[0] === 0xff && body[1] === 0xfe) return 'utf-16le'
  return body[0] === 0xfe && body[1] === 0xff ? 'utf-16be' : undefined
}

function hasZero(body: Uint8Array): boolean {
  return markOf(body) === undefined && body.includes(0)
}

function decode(body: Uint8Array, charset: string, truncated: boolean): string | undefined {
  try {
    // Drops a character that was cut at the end.
    return new TextDecoder(charset, { fatal: true }).decode(body, { stream: truncated })
  } catch {
    return undefined
  }
}
