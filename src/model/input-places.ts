/** Finds every token in a tool input, and what it is part of. Pure. */

import type { ToolInput } from './wire/dialect.ts'
import type { FileTool } from './file-tools.ts'
import {
  memberOf,
  parseJsonSpans,
  stringAt,
  memberText,
  type JsonNode,
  type ObjectNode,
  type StringNode,
} from './wire/json-spans.ts'
import { patchSections, type PatchSection } from './patch-sections.ts'
import { tokensInString, tokensInText, type TokenSpan } from './wire/token-spans.ts'

export interface TokenPlace {
  readonly span: TokenSpan
  readonly part: InputPart
}

/** A string of the input, or one section of a patch. */
export interface InputPart {
  /** The tool's argument; absent in free text. */
  readonly argument?: string
  /** The complete string. */
  readonly text: string
  readonly target: InputTarget
  /** The replaced text, if this is either half of a replacement; absent if the whole file is written. */
  readonly replaced?: string
  /** The section of the text, if it is a patch. */
  readonly section?: PatchSection
}

export type InputTarget =
  /** Will be written to this file. */
  | { readonly kind: 'file'; readonly path: string }
  /** A field name, or part of a file name: values do not belong there. */
  | { readonly kind: 'name' }
  | { readonly kind: 'other' }

const name: InputTarget = { kind: 'name' }
const other: InputTarget = { kind: 'other' }

/** In the order of the text. Throws InvalidJson. */
export function tokenPlaces({ text, form }: ToolInput, tool: FileTool | undefined): TokenPlace[] {
  if (form === 'json') return placesInJson(text, tool)
  const tokens = tokensInText(text)
  return tool?.kind === 'patch' ? placesInPatch(tokens, text) : placesIn(tokens, { text, target: other })
}

const placesIn = (tokens: readonly TokenSpan[], part: InputPart): TokenPlace[] =>
  tokens.map((span) => ({ span, part }))

function placesInPatch(tokens: readonly TokenSpan[], text: string, argument?: string): TokenPlace[] {
  const named = { text, ...(argument !== undefined && { argument }) }
  const parts = patchSections(text).map((section) => {
    const part: InputPart = { ...named, target: { kind: 'file', path: section.path }, section }
    return { section, part }
  })
  const control: InputPart = { ...named, target: name }
  return tokens.map((span) => {
    const found = parts.find(({ section: { start, end } }) => start <= span.at && span.at < end)
    return { span, part: found?.part ?? control }
  })
}

function placesInJson(json: string, tool: FileTool | undefined): TokenPlace[] {
  const root = parseJsonSpans(json)
  if (root.kind !== 'object') return []
  const places: TokenPlace[][] = []
  const path = tool?.kind === 'file' ? onlyPath(json, root, tool.path) : undefined
  const target: InputTarget = path === undefined ? other : { kind: 'file', path }

  const read = (node: StringNode, argument: string, key: string, owner: ObjectNode): void => {
    const tokens = tokensInString(json, node)
    if (tokens.length === 0) return
    const text = stringAt(json, node)
    if (tool?.kind === 'patch' && owner === root && tool.arguments.includes(key)) {
      places.push(placesInPatch(tokens, text, argument))
    } else if (tool?.kind === 'file' && key === tool.path) {
      places.push(placesIn(tokens, { argument, text, target: name }))
    } else {
      const halves = tool?.kind === 'file' ? tool.replacement : undefined
      const isHalf = halves !== undefined && (key === halves.old || key === halves.new)
      // An empty text to replace means that the whole file is written.
      const replaced = (isHalf && memberText(json, owner, halves.old)) || undefined
      places.push(placesIn(tokens, { argument, text, target, ...(replaced !== undefined && { replaced }) }))
    }
  }
  const walk = (node: JsonNode, argument: string, key: string, owner: ObjectNode): void => {
    if (node.kind === 'array') for (const item of node.items) walk(item, argument, key, owner)
    else if (node.kind === 'object') walkObject(node, argument)
    else if (node.kind === 'string') read(node, argument, key, owner)
  }
  const walkObject = (node: ObjectNode, argument?: string): void => {
    for (const { key, value } of node.entries) {
      const text = stringAt(json, key)
      places.push(placesIn(tokensInString(json, key), { argument: argument ?? text, text, target: name }))
      walk(value, argument ?? text, text, node)
    }
  }
  walkObject(root)
  return places.flat()
}

/** The file, if the input names exactly one: otherwise another name could be the one the client uses. */
function onlyPath(json: string, root: ObjectNode, argument: string): string | undefined {
  const named = new Set<string | undefined>()
  const walk = (node: JsonNode): void => {
    if (node.kind === 'array') node.items.forEach(walk)
    if (node.kind !== 'object') return
    for (const { key, value } of node.entries) {
      if (stringAt(json, key) === argument)
        named.add(value.kind === 'string' ? stringAt(json, value) : undefined)
      walk(value)
    }
  }
  walk(root)
  return named.size === 1 && memberOf(json, root, argument) !== undefined ? [...named][0] : undefined
}
