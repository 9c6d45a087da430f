/**
 * Since 2026-07-28 a tool can declare that some of its arguments are also sent as HTTP headers, for proxies to act on.
 * A tool with an invalid declaration must not be used.
 */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { ServerError } from '../connection.ts'
import { rpcErrors } from '../rpc/protocol.ts'

interface Declaration {
  readonly path: readonly string[]
  readonly header: string
}

export type HeaderScan = { readonly declarations: readonly Declaration[] } | { readonly problem: string }

const keyword = 'x-mcp-header'
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const typesWithHeader: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'boolean'])

/** The headers that a schema declares, or why the declaration is invalid. */
export function scanHeaders(schema: JsonObject): HeaderScan {
  const declarations: Declaration[] = []
  const problem = scan(schema, [], declarations)
  return problem === undefined ? { declarations } : { problem }
}

function scan(node: Json | undefined, path: readonly string[], found: Declaration[]): string | undefined {
  if (!isJsonObject(node)) return undefined
  if (Object.hasOwn(node, keyword)) {
    const problem = path.length === 0 ? `${keyword} is not inside a property` : declare(node, path, found)
    if (problem !== undefined) return problem
  }
  for (const [key, value] of Object.entries(node)) {
    const problem =
      key === 'properties' && isJsonObject(value) ? scanAll(value, path, found) : stray(key, value)
    if (problem !== undefined) return problem
  }
  return undefined
}

function scanAll(properties: JsonObject, path: readonly string[], found: Declaration[]): string | undefined {
  for (const [name, property] of Object.entries(properties)) {
    const problem = scan(property, [...path, name], found)
    if (problem !== undefined) return problem
  }
  return undefined
}

function declare(node: JsonObject, path: readonly string[], found: Declaration[]): string | undefined {
  const header = node[keyword]
  const where = path.join('.')
  if (typeof header !== 'string' || !token.test(header)) return `${where}: ${keyword} is not a header name`
  if (!typesWithHeader.has(node.type)) return `${where}: only strings, integers and booleans can be headers`
  if (found.some((other) => other.header.toLowerCase() === header.toLowerCase())) {
    return `${where}: two properties declare the same header`
  }
  found.push({ path, header })
  return undefined
}

/** Keywords whose values are data, not schemas. */
const plainData = new Set(['const', 'enum', 'default', 'examples'])

/** Below other keywords than `properties` the arguments alone do not determine the value of a header. */
function stray(key: string, value: Json | undefined): string | undefined {
  if (plainData.has(key)) return undefined
  return mentions(value) ? `${keyword} is below ${key}` : undefined
}

function mentions(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(mentions)
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(
    ([key, inner]) => key === keyword || (!plainData.has(key) && mentions(inner)),
  )
}

const scans = new WeakMap<JsonObject, HeaderScan>()

/** The headers of a call to the tool with this schema. Throws `ServerError` if its declaration is invalid. */
export function callHeaders(inputSchema: JsonObject, args: Json | undefined): Record<string, string> {
  const scan = scans.get(inputSchema) ?? scanHeaders(inputSchema)
  scans.set(inputSchema, scan)
  if ('problem' in scan) {
    throw new ServerError({
      code: rpcErrors.invalidParams,
      message: `the definition of the tool is not valid: ${scan.problem}`,
    })
  }
  return paramHeaders(scan.declarations, args)
}

export function paramHeaders(
  declarations: readonly Declaration[],
  args: Json | undefined,
): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const { path, header } of declarations) {
    const text = textOf(path.reduce<Json | undefined>((value, key) => ownValue(value, key), args))
    if (text !== undefined) headers[`Mcp-Param-${header}`] = encodeValue(text)
  }
  return headers
}

function ownValue(value: Json | undefined, key: string): Json | undefined {
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isSafeInteger(value)))
    return String(value)
  return undefined
}

const plainValue = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/
const encoded = /^=\?base64\?.*\?=$/

/** Values that a header cannot carry are sent as base64, and so are values that look like it. */
export function encodeValue(text: string): string {
  if (plainValue.test(text) && !encoded.test(text)) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** The list without tools whose header declarations are invalid. */
export function withoutInvalidHeaders(result: JsonObject): JsonObject {
  const { tools } = result
  if (!Array.isArray(tools)) return result
  const kept = tools.filter(
    (tool) =>
      !isJsonObject(tool) ||
      !isJsonObject(tool.inputSchema) ||
      'declarations' in scanHeaders(tool.inputSchema),
  )
  return kept.length === tools.length ? result : { ...result, tools: kept }
}
