/** Collects the special parts of a request while a dialect traverses it. */

import type { NotePlace, RequestView, ToolResult, ToolUse } from './dialect.ts'
import { memberOf, type JsonNode, type StringNode } from './json-spans.ts'
import { dataUrlKindAt } from './media.ts'

export interface ViewBuilder {
  exempt(node: JsonNode | undefined): void
  /** Exempts those fields that are strings: ids are, and anything else with that name is not an id. */
  exemptIds(node: JsonNode | undefined, names: readonly string[]): void
  base64(node: StringNode): void
  json(node: JsonNode | undefined): void
  /** A URL that may be a data URL. */
  url(node: JsonNode | undefined): void
  toolUse(use: ToolUse): void
  /** The place for a result's note can also hold the explanation of tokens. */
  toolResult(result: ToolResult): void
  text(place: NotePlace): void
  build(): RequestView
}

export function createViewBuilder(text: string): ViewBuilder {
  const exempt = new Set<JsonNode>()
  const base64 = new Set<StringNode>()
  const json = new Set<StringNode>()
  const toolUses: ToolUse[] = []
  const toolResults: ToolResult[] = []
  const texts: NotePlace[] = []
  return {
    exempt(node) {
      if (node !== undefined) exempt.add(node)
    },
    exemptIds(node, names) {
      for (const name of names) {
        const member = memberOf(text, node, name)
        if (member?.kind === 'string') exempt.add(member)
      }
    },
    base64(node) {
      base64.add(node)
    },
    json(node) {
      if (node?.kind === 'string') json.add(node)
    },
    url(node) {
      if (node?.kind !== 'string') return
      const kind = dataUrlKindAt(text, node)
      if (kind === 'opaque') exempt.add(node)
      if (kind === 'text') base64.add(node)
    },
    toolUse(use) {
      toolUses.push(use)
    },
    toolResult(result) {
      toolResults.push(result)
      if (result.notePlace !== undefined) texts.push(result.notePlace)
    },
    text(place) {
      texts.push(place)
    },
    build: () => ({ exempt, base64, json, toolUses, toolResults, texts }),
  }
}

/** Appends an item to an array. */
export function placeInArray(
  node: Extract<JsonNode, { kind: 'array' }>,
  item: (note: string) => object,
): NotePlace {
  const comma = node.items.length === 0 ? '' : ','
  return { at: node.end - 1, insert: (note) => comma + JSON.stringify(item(note)) }
}

/** Appends a member to an object. */
export function placeInObject(node: Extract<JsonNode, { kind: 'object' }>, name: string): NotePlace {
  const comma = node.entries.length === 0 ? '' : ','
  return { at: node.end - 1, insert: (note) => `${comma}${JSON.stringify(name)}:${JSON.stringify(note)}` }
}
