/**
 * From 2026-07-28 on a tool can ask over HTTP that some of its arguments also travel as headers, so that what stands in
 * between can go by them. A tool that asks for it wrongly must not be used.
 */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

interface Declaration {
  readonly path: readonly string[]
  readonly header: string
}

export type HeaderScan = { readonly declarations: readonly Declaration[] } | { readonly problem: string }

const keyword = 'x-mcp-header'
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const typesWithHeader: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'boolean'])

/** Where the schema says which headers it wants, or what is wrong with that. */
export function scanHeaders(schema: JsonObject): HeaderScan {
  const declarations: Declaration[] = []
  const problem = scan(schema, [], declarations)
  return problem === undefined ? { declarations } : { problem }
}

function scan(node: Json | undefined, path: readonly string[], found: Declaration[]): string | undefined {
  if (!isJsonObject(node)) return undefined
  if (Object.hasOwn(node, keyword)) {
    const problem = path.length === 0 ? `${keyword} stands beside no property` : declare(node, path, found)
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
  if (typeof header !== 'string' || !token.test(header)) return `${where}: ${keyword} is no name of a header`
  if (!typesWithHeader.has(node.type)) return `${where}: only strings, integers and booleans can be headers`
  if (found.some((other) => other.header.toLowerCase() === header.toLowerCase())) {
    return `${where}: two properties want the same header`
  }
  found.push({ path, header })
  return undefined
}

/** What is data in a schema and not a schema. */
const plainData = new Set(['const', 'enum', 'default', 'examples'])

/** Below anything but `properties` it cannot be told from the arguments alone what a header would stand for. */
function stray(key: string, value: Json | undefined): string | undefined {
  if (plainData.has(key)) return undefined
  return mentions(value) ? `${keyword} stands below ${key}` : undefined
}

function mentions(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.some(mentions)
  if (!isJsonObject(value)) return false
  return Object.entries(value).some(
    ([key, inner]) => key === keyword || (!plainData.has(key) && mentions(inner)),
  )
}

/** The headers of one call. */
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

/** What a header cannot carry as it is goes in base64, and so does what would be taken for that. */
export function encodeValue(text: string): string {
  if (plainValue.test(text) && !encoded.test(text)) return text
  return `=?base64?${Buffer.from(text).toString('base64')}?=`
}

/** A list of tools without those that ask for headers wrongly. */
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
