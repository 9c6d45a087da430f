/** Reads the body of a model request and decodes it to text that can be checked. */

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

import { byteTextOf } from '@contextd/shared/text/byte-text'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { DoorLimits } from '../limits/door-limits.ts'
import { readRequestBody } from '../wire/http-body.ts'

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

/** The decoder for a `content-encoding` header: `plain` without one, undefined if unsupported. */
export function decoderFor(encoding: string | undefined): Transform | 'plain' | undefined {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return 'plain'
  return Object.hasOwn(decoders, name) ? decoders[name]!() : undefined
}

/** Undefined for a request without a body. Throws like `decodeBody`, and for a body that arrives too slowly. */
export async function readModelBody(
  request: IncomingMessage,
  { maxBytes, keep, limits }: DecodeLimits & { readonly limits: DoorLimits },
): Promise<Buffer | undefined> {
  const {
    'content-length': length,
    'transfer-encoding': transfer,
    'content-encoding': encoding,
  } = request.headers
  if (transfer === undefined && (length === undefined || length === '0')) return undefined
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked')
    throw new ContextdError('MODEL_ENCODING_UNKNOWN')
  try {
    const body = await readRequestBody(request, { ...limits, maxBytes, keep })
    return await decodeBody(body, encoding, { maxBytes, keep })
  } catch (error) {
    throw error instanceof CodedError && error.code === 'MESSAGE_TOO_LARGE' ? bodyTooLarge(maxBytes) : error
  }
}

interface DecodeLimits {
  readonly maxBytes: number
  /** Called with the size of each received and decoded chunk; an exception from it ends reading. */
  readonly keep: (bytes: number) => void
}

/** Throws MODEL_ENCODING_UNKNOWN, MESSAGE_TOO_LARGE or INVALID_REQUEST. */
async function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  { maxBytes, keep }: DecodeLimits,
): Promise<Buffer> {
  const decoder = body.length === 0 ? 'plain' : decoderFor(encoding)
  if (decoder === undefined) throw new ContextdError('MODEL_ENCODING_UNKNOWN')
  if (decoder === 'plain') return body
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of decoder.end(body) as AsyncIterable<Buffer>) {
      length += part.length
      if (length > maxBytes) throw bodyTooLarge(maxBytes)
      keep(part.length)
      parts.push(part)
    }
  } catch (error) {
    if (error instanceof CodedError) throw error
    throw new ContextdError('INVALID_REQUEST', { what: `the body is not ${encoding}`, hint: sendPlain })
  }
  return Buffer.concat(parts, length)
}

const sendPlain = 'Send the body as its content-encoding says, or uncompressed.'

function bodyTooLarge(limit: number): ContextdError {
  return new ContextdError('MESSAGE_TOO_LARGE', {
    limit,
    hint: 'Send less at once, or raise `model.request_bytes` in config.toml.',
  })
}

/** As byte text. A body that will be rewritten must be UTF-8; others are only inspected and forwarded byte for byte. */
export function bodyText(body: Buffer, isStrict: boolean): string {
  if (isStrict && !isUtf8(body))
    throw new ContextdError('INVALID_REQUEST', { what: 'the body is not UTF-8', hint: 'Send JSON in UTF-8.' })
  return byteTextOf(body)
}
