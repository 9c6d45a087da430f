/** Reads the tool definitions of a server. They are untrusted: invalid ones are dropped, with the reason. */

import { isJsonObject, isWithinDepth, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { ToolDefinition } from '../../../core/tool.ts'
import { visibleText } from '@contextd/shared/text/visible-text'
import { withoutHidden } from '../../../platform/hidden-characters.ts'

/** A tool of an MCP server, including fields that contextd only passes on. */
export interface UpstreamTool extends ToolDefinition {
  readonly icons?: Json[]
  readonly execution?: JsonObject
}

export interface Dropped {
  /** Truncated, and safe to show. */
  readonly name: string
  readonly why: string
}

export interface ReadDefinitions {
  readonly tools: readonly UpstreamTool[]
  readonly dropped: readonly Dropped[]
}

const maxTools = 1000
const maxNameLength = 128
const maxBytes = 65_536
/** All tools of a server together: about ten times what large servers have. */
const maxTotalBytes = 1_048_576
/** Deeper than any real schema, and safe for recursive functions. */
const maxDepth = 100

/** `list`: the `tools` of all pages of the response. */
export function readDefinitions(list: readonly Json[]): ReadDefinitions {
  const tools: UpstreamTool[] = []
  const dropped: Dropped[] = []
  const names = new Set<string>()
  let bytes = 0
  for (const entry of list.slice(0, maxTools)) {
    const problem =
      whyInvalid(entry, names) ?? (bytes > maxTotalBytes ? 'the tools before it are too large' : undefined)
    if (problem === undefined) {
      const tool = toTool(entry as JsonObject)
      names.add(tool.name)
      tools.push(tool)
      bytes += sizeOf(entry)
    } else dropped.push({ name: shownName(entry), why: problem })
  }
  if (list.length > maxTools) {
    dropped.push({ name: `${list.length - maxTools} more`, why: `more than ${maxTools} tools` })
  }
  return { tools, dropped }
}

/** The definition without invisible characters, for agents. Names with such characters were dropped. */
export function withoutInvisible(tool: UpstreamTool): UpstreamTool {
  const { name, icons, execution, _meta, ...visible } = tool
  const clean = withoutHidden(visible as unknown as JsonObject) as unknown as Omit<ToolDefinition, 'name'>
  return {
    name,
    ...clean,
    ...(icons && { icons }),
    ...(execution && { execution }),
    ...(_meta && { _meta }),
  }
}

function whyInvalid(entry: Json, names: ReadonlySet<string>): string | undefined {
  if (!isJsonObject(entry) || typeof entry.name !== 'string' || entry.name === '') return 'it has no name'
  const { name } = entry
  if (name.length > maxNameLength) return `its name is longer than ${maxNameLength} characters`
  if (withoutHidden(name) !== name || /[\t\n\r]/.test(name)) return 'its name has invisible characters'
  if (names.has(name)) return 'another tool of the server has the same name'
  if (!isWithinDepth(entry, maxDepth)) return `it is nested more than ${maxDepth} levels deep`
  if (sizeOf(entry) > maxBytes) return `it is larger than ${maxBytes / 1024} KB`
  // Some servers omit the type; it defaults to object.
  if (!isJsonObject(entry.inputSchema) || (entry.inputSchema.type ?? 'object') !== 'object') {
    return 'its inputSchema does not describe an object'
  }
  for (const key of ['title', 'description']) {
    if (isThere(entry[key]) && typeof entry[key] !== 'string') return `its ${key} is not text`
  }
  for (const key of ['outputSchema', 'annotations', 'execution', '_meta']) {
    if (isThere(entry[key]) && !isJsonObject(entry[key])) return `its ${key} is not an object`
  }
  if (isThere(entry.icons) && !Array.isArray(entry.icons)) return 'its icons are not a list'
  return undefined
}

const optional = ['title', 'outputSchema', 'annotations', 'icons', 'execution', '_meta'] as const

function toTool(entry: JsonObject): UpstreamTool {
  const kept: JsonObject = {}
  for (const key of optional) {
    const value = entry[key]
    if (isThere(value)) kept[key] = value
  }
  return {
    name: entry.name as string,
    description: (entry.description as string | undefined | null) ?? '',
    inputSchema: { type: 'object', ...(entry.inputSchema as JsonObject) },
    ...kept,
  }
}

/** Some servers send null for absent fields. */
function isThere(value: Json | undefined): value is Exclude<Json, null> {
  return value !== undefined && value !== null
}

function sizeOf(entry: Json): number {
  return Buffer.byteLength(JSON.stringify(entry))
}

function shownName(entry: Json): string {
  const name = isJsonObject(entry) && typeof entry.name === 'string' ? entry.name : ''
  return name === '' ? 'a tool without a name' : visibleText(name.slice(0, 80))
}
