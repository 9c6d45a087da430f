import type { IncomingHttpHeaders } from 'node:http'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

/** The number of the protocol for headers that do not say what the body says. */
export const headerMismatch = -32020

/**
 * From 2026-07-28 a tool may mark arguments with `x-mcp-header`; clients repeat those in `Mcp-Param-*` headers, so that
 * what stands between can decide by them. A header that does not say what the body says would fool it.
 * Answers the header that is missing or wrong. The SDK checks this only for servers that register tools with it.
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
  // Only simple values travel in headers.
  if (value === undefined || value === null || typeof value === 'object') return true
  if (typeof header !== 'string') return false
  const said = decode(header)
  if (said === undefined) return false
  const number = typeof value === 'number' && /^-?\d+(\.\d+)?$/.test(said)
  return number ? Number(said) === value : said === String(value)
}

/** `=?base64?…?=` carries what a header cannot; everything else is taken as it stands. */
function decode(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/s.exec(header)?.[1]
  if (encoded === undefined) return header
  const bytes = Buffer.from(encoded, 'base64')
  // Node forgives missing padding and foreign characters, the protocol does not.
  if (bytes.toString('base64') !== encoded) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
