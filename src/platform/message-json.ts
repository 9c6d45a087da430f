import { isUtf8 } from 'node:buffer'

import { describeError, type ErrorObject } from '../core/errors/errors.ts'

export type RequestId = string | number

/** Deeper messages are rejected before they are traversed. No legitimate message comes close. */
export const maxMessageDepth = 100

/** The response to a message that cannot be processed. `id` is null if the sender's id is unknown. */
export interface Unreadable {
  readonly id: RequestId | null
  readonly error: ErrorObject
}

/** Parses untrusted bytes as JSON that is safe to traverse. */
export function parseSafely(bytes: Buffer): { readonly value: unknown } | Unreadable {
  if (!isUtf8(bytes)) return { id: null, error: describeError('PARSE_ERROR', { what: 'it is not UTF-8' }) }
  if (nestsDeeper(bytes, maxMessageDepth)) {
    const what = `it nests deeper than ${maxMessageDepth} levels`
    return { id: idAtTheEdges(bytes, bytes), error: describeError('INVALID_REQUEST', { what }) }
  }
  try {
    return { value: JSON.parse(bytes.toString('utf8')) }
  } catch {
    return { id: null, error: describeError('PARSE_ERROR', { what: 'it is not JSON' }) }
  }
}

/** How many bytes at either end of a message are searched for its id. */
export const edge = 512

const value = String.raw`(-?\d{1,15}|"[^"\\]{0,200}")`
const version = String.raw`"jsonrpc"\s*:\s*"2\.0"\s*`
const idFirst = new RegExp(String.raw`^\s*\{\s*(?:${version},\s*)?"id"\s*:\s*${value}\s*,`)
const idLast = new RegExp(String.raw`[,{]\s*"id"\s*:\s*${value}\s*(?:,\s*${version})?\}\s*$`)

/**
 * The id of a request that is too long or too deep to parse. Serializers put it first or last, and only there is it
 * certain to be the message's own rather than one inside its params.
 */
export function idAtTheEdges(head: Buffer, tail: Buffer): RequestId | null {
  const start = head.toString('utf8', 0, edge)
  const end = tail.toString('utf8', Math.max(0, tail.length - edge))
  const found = (idFirst.exec(start) ?? idLast.exec(end))?.[1]
  return found === undefined ? null : (JSON.parse(found) as RequestId)
}

const quote = 0x22
const backslash = 0x5c
const opening = new Set([0x5b, 0x7b])
const closing = new Set([0x5d, 0x7d])

/** Counts brackets outside of strings; strings are skipped natively, so long texts are cheap. */
function nestsDeeper(bytes: Buffer, limit: number): boolean {
  let depth = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]!
    if (byte === quote) {
      at = endOfString(bytes, at)
      if (at < 0) return false
    } else if (opening.has(byte)) {
      depth += 1
      if (depth > limit) return true
    } else if (closing.has(byte)) {
      depth -= 1
    }
  }
  return false
}

function endOfString(bytes: Buffer, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end >= 0; end = bytes.indexOf(quote, end + 1)) {
    let slashes = 0
    while (bytes[end - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return end
  }
  return -1
}
