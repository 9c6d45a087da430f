/** Access to values in OpenCode's files and their positions. */

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { SourceNode, JsonPath } from '@contextd/shared/json/json-source'
import type { Place } from '../findings/finding.ts'
import type { OpenCodeSetup, OpenCodeSource } from './setup.ts'

/** The configuration of all agents, or of one. */
export interface Definition {
  readonly source: OpenCodeSource
  readonly path: JsonPath
  readonly value: JsonObject
  readonly agent?: string
}

export function* definitionsIn(sources: readonly OpenCodeSource[]): Generator<Definition> {
  for (const source of sources) {
    if (source.kind === 'agent') {
      yield { source, path: [], value: source.frontmatter, agent: source.name }
      continue
    }
    yield { source, path: [], value: source.value }
    for (const key of ['agent', 'mode']) {
      const agents = source.value[key]
      for (const [agent, value] of Object.entries(isJsonObject(agents) ? agents : {})) {
        if (isJsonObject(value)) yield { source, path: [key, agent], value, agent }
      }
    }
  }
}

/** Names of MCP servers, as written. */
export function serversIn({ sources }: OpenCodeSetup): string[] {
  return sources.flatMap((source) => {
    const servers = source.kind === 'config' ? source.value.mcp : undefined
    if (!isJsonObject(servers)) return []
    // OpenCode 2 nests them one level deeper; OpenCode 1 reads both forms.
    const inner = servers.servers
    return Object.keys(isJsonObject(inner) ? { ...servers, ...inner } : servers)
  })
}

export function valueIn(source: OpenCodeSource, path: JsonPath): Json | undefined {
  let value: Json | undefined = source.kind === 'config' ? source.value : source.frontmatter
  for (const step of path) {
    if (Array.isArray(value)) value = value[Number(step)]
    else value = isJsonObject(value) && Object.hasOwn(value, step) ? value[String(step)] : undefined
  }
  return value
}

/** Place of the key, or of the list item. */
export function sourcePlace(source: OpenCodeSource, path: JsonPath): Place {
  const { locate } = source.kind === 'config' ? source.document : source
  const { line, column } = locate(path, 'key') ?? { line: 1, column: 1 }
  return { file: source.file, line, column }
}

/** Offsets of a key in its file, including quotes. */
export function keySpan(source: OpenCodeSource, path: JsonPath): { start: number; end: number } | undefined {
  if (source.kind === 'agent') return source.locate(path, 'key')
  let node: SourceNode | undefined = source.document.root
  for (const step of path) node = node?.children?.get(step)
  if (node?.keyStart === undefined) return undefined
  const start = node.keyStart + (source.text.startsWith('\uFEFF') ? 1 : 0)
  const length = quoted.exec(source.text.slice(start))?.[0].length
  return length === undefined ? undefined : { start, end: start + length }
}

const quoted = /^"(?:[^"\\]|\\.)*"/
