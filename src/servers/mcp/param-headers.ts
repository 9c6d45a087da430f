import type { IncomingHttpHeaders } from 'node:http'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** The protocol's error code for headers that do not match the body. */
export const headerMismatch = -32020

/**
 * From 2026-07-28, a tool may mark arguments with `x-mcp-header`; clients repeat those in `Mcp-Param-*` headers, so
 * that intermediaries can use them. A header that does not match the body would deceive those. Returns the missing
 * or wrong header. The SDK checks this only for servers that register tools with it.
 */
export function mismatchedParamHeader(
  schema: JsonObject,
  args: JsonObject,
  headers: IncomingHttpHeaders,
): string | undefined {
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  for (const [name, property] of Object.entries(properties)) {
    if (!isJsonObject(property)) continue
    const value = Object.hasOwn(args, name) ? args[name] : undefined
    const header = property['x-mcp-header']
    if (typeof header === 'string' && !agrees(headers[`mcp-param-${header.toLowerCase()}`], value)) {
      return `Mcp-Param-${header}`
    }
    const inner = isJsonObject(value) ? mismatchedParamHeader(property, value, headers) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

function agrees(header: string | string[] | undefined, value: Json | undefined): boolean {
  // Only scalar values are sent in headers.
  if (value === undefined || value === null || typeof value === 'object') return true
  if (typeof header !== 'string') return false
  const decoded = decode(header)
  if (decoded === undefined) return false
  const number = typeof value === 'number' && /^-?\d+(\.\d+)?$/.test(decoded)
  return number ? Number(decoded) === value : decoded === String(value)
}

/** `=?base64?…?=` encodes what a header cannot contain; all other values are literal. */
function decode(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/s.exec(header)?.[1]
  if (encoded === undefined) return header
  const bytes = Buffer.from(encoded, 'base64')
  // Node tolerates missing padding and invalid characters, the protocol does not.
  if (bytes.toString('base64') !== encoded) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
