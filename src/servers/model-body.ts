/** The body of a request to a model, as text that can be checked. */

import { isUtf8 } from 'node:buffer'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'

import { byteTextOf } from '../core/byte-text.ts'
import { ContextdError } from '../core/errors.ts'

const decoders = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const

/** Throws MODEL_ENCODING_UNKNOWN, MESSAGE_TOO_LARGE or INVALID_REQUEST. */
export async function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity' || body.length === 0) return body
  if (!isKnown(name)) throw new ContextdError('MODEL_ENCODING_UNKNOWN')
  try {
    return await decoders[name](body, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes)
    throw new ContextdError('INVALID_REQUEST', { what: `the body is not ${name}`, hint: sendPlain })
  }
}

const sendPlain = 'Send the body as its content-encoding says, or not compressed.'

export function tooLarge(limit: number): ContextdError {
  return new ContextdError('MESSAGE_TOO_LARGE', {
    limit,
    hint: 'Send less at once, or raise `model.request_bytes` in config.toml.',
  })
}

function isKnown(name: string): name is keyof typeof decoders {
  return Object.hasOwn(decoders, name)
}

/** As byte text. What will be rewritten must be UTF-8; other bodies are only looked at, and travel as the bytes they were. */
export function textOf(body: Buffer, isStrict: boolean): string {
  if (isStrict && !isUtf8(body))
    throw new ContextdError('INVALID_REQUEST', { what: 'the body is not UTF-8', hint: 'Send JSON in UTF-8.' })
  return byteTextOf(body)
}
