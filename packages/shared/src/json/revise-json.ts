/**
 * Changes the value of a JSON text and preserves everything else: order, indentation, line endings, and comments and
 * trailing commas where allowed.
 */

import { canonicalJson, isJsonObject, type Json, type JsonObject } from './value.ts'
import { commonRuns } from '../text/sequence-diff.ts'
import { parseJson, type SourceNode } from './json-source.ts'

interface Layout {
  readonly text: string
  readonly eol: string
  /** One level of indentation. */
  readonly unit: string
  /** The whole document is on one line. */
  readonly flat: boolean
}

/** `source` must be accepted by `parseJson` with comments allowed. */
export function reviseJson(source: string, value: Json): string {
  const bom = source.startsWith('\uFEFF') ? '\uFEFF' : ''
  const text = source.slice(bom.length)
  const parsed = parseJson(text, { comments: true })
  if (!parsed.ok) throw new Error('Only JSON can be revised')
  const { root } = parsed
  const layout: Layout = {
    text,
    eol: /\r?\n/.exec(text)?.[0] ?? '\n',
    unit: /\n([ \t]+)["{[]/.exec(text)?.[1] ?? '  ',
    flat: !text.includes('\n') && (root.children?.size ?? 0) > 0,
  }
  return bom + text.slice(0, root.start) + revise(root, value, layout) + text.slice(root.end)
}

/** `isInline`: other items are on the same line. */
function revise(node: SourceNode, to: Json, layout: Layout, isInline = false): string {
  const { text } = layout
  if (JSON.stringify(node.value) === JSON.stringify(to)) return text.slice(node.start, node.end)
  if (isJsonObject(node.value) && isJsonObject(to))
    return rebuild(node, objectItems(node, to, layout), layout)
  if (Array.isArray(node.value) && Array.isArray(to))
    return rebuild(node, arrayItems(node, to, layout), layout)
  return written(to, isInline ? undefined : indentAt(text, node.start), layout)
}

/** An item of the new container: an existing one, possibly changed, or a new one. */
interface Item {
  readonly chunk?: Chunk
  /** The item's text. `indent`: the indentation of its line; undefined if it shares the line with others. */
  readonly body: (indent: string | undefined) => string
}

/** An existing item with the whitespace and comments that belong to it. */
interface Chunk {
  readonly key: string | number
  readonly node: SourceNode
  readonly start: number
  /** Text between the previous item and this one: line break, comments above, indentation. */
  readonly lead: string
  /** Between the item and its comma. */
  readonly trail: string
  readonly comma: boolean
  /** Text after the comma on the same line. */
  readonly after: string
}

function objectItems(node: SourceNode, to: JsonObject, layout: Layout): Item[] {
  const kept = chunksOf(node, layout.text).chunks.flatMap((chunk): (Item & { key: string })[] => {
    const key = String(chunk.key)
    const next = Object.hasOwn(to, key) ? to[key] : undefined
    if (next === undefined) return []
    const name = layout.text.slice(chunk.start, chunk.node.start)
    const body = (indent: string | undefined): string =>
      name + revise(chunk.node, next, layout, indent === undefined)
    return [{ key, chunk, body }]
  })
  // Key order matters to some clients: keep the order of the text unless the new value changes it.
  const has = new Set(kept.map(({ key }) => key))
  const order = Object.keys(to).filter((key) => has.has(key))
  const isReordered = !same(
    order,
    Object.keys(node.value as JsonObject).filter((key) => has.has(key)),
  )
  if (isReordered) kept.sort((one, other) => order.indexOf(one.key) - order.indexOf(other.key))
  const added = Object.entries(to)
    .filter(([key]) => !has.has(key))
    .map(([key, item]): Item => ({
      body: (indent) => `${JSON.stringify(key)}: ${written(item, indent, layout)}`,
    }))
  return [...kept, ...added]
}

/**
 * Array items have no keys: equal items are matched by a longest common subsequence. Between those, an object that shares
 * a member with the old item at its position is treated as that item, changed.
 */
function arrayItems(node: SourceNode, to: readonly Json[], layout: Layout): Item[] {
  const { chunks } = chunksOf(node, layout.text)
  const old = chunks.map((chunk) => canonicalJson(chunk.node.value))
  const wanted = to.map((item) => canonicalJson(item))
  const shared = new Map(
    commonRuns(old, wanted).flatMap(({ from, to: start, length }) =>
      Array.from({ length }, (_, at) => [start + at, from + at] as const),
    ),
  )
  const matched = new Set(shared.values())
  let next = 0
  return to.map((item, index): Item => {
    const equal = shared.get(index)
    const chunk = chunks[equal ?? next]
    if (chunk !== undefined && equal !== undefined) {
      next = equal + 1
      return { chunk, body: () => layout.text.slice(chunk.start, chunk.node.end) }
    }
    if (chunk === undefined || matched.has(next) || !sharesMember(chunk.node.value, item))
      return { body: (indent) => written(item, indent, layout) }
    next += 1
    return { chunk, body: (indent) => revise(chunk.node, item, layout, indent === undefined) }
  })
}

function sharesMember(one: Json, other: Json): boolean {
  if (!isJsonObject(one) || !isJsonObject(other)) return false
  return Object.entries(one).some(([key, value]) => Object.hasOwn(other, key) && same(value, other[key]!))
}

function chunksOf(node: SourceNode, text: string): { chunks: Chunk[]; tail: string } {
  const chunks: Chunk[] = []
  let from = node.start + 1
  const children = Array.from(node.children ?? [])
  for (const [index, [key, child]] of children.entries()) {
    const start = child.keyStart ?? child.start
    const next = children[index + 1]?.[1]
    const limit = next === undefined ? node.end - 1 : (next.keyStart ?? next.start)
    const between = text.slice(child.end, limit)
    const comma = commaIn(between)
    const afterComma = comma === -1 ? between : between.slice(comma + 1)
    const after = sameLine.exec(afterComma)?.[0] ?? ''
    chunks.push({
      key,
      node: child,
      start,
      lead: text.slice(from, start),
      trail: comma === -1 ? '' : between.slice(0, comma),
      comma: comma !== -1,
      after,
    })
    from = child.end + (comma === -1 ? 0 : comma + 1) + after.length
  }
  return { chunks, tail: text.slice(from, node.end - 1) }
}

/** The rest of the line, if it has only whitespace and comments. */
const sameLine = /^[ \t]*(?:\/\/[^\n\r]*|\/\*[^\n]*?\*\/[ \t]*)?(?=\r?\n)/

function commaIn(between: string): number {
  const commentOrComma = /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|,/g
  for (const { 0: match, index } of between.matchAll(commentOrComma)) if (match === ',') return index
  return -1
}

function rebuild(node: SourceNode, items: readonly Item[], layout: Layout): string {
  const { text, eol, unit } = layout
  const { chunks, tail } = chunksOf(node, text)
  const last = chunks.at(-1)
  const outer = indentAt(text, node.start)
  const isFlat = last === undefined ? layout.flat : !(last.lead + last.after).includes('\n')
  const indent = last?.lead.includes('\n') ? indentOf(last.lead) : outer + unit
  const blank = isFlat ? (last === undefined ? '' : ' ') : eol + indent

  let result = text.slice(node.start, node.start + 1)
  let isCommented = false
  const put = (lead: string, rest: string, after = ''): void => {
    // Text after a line comment must start on a new line.
    result += (isCommented && !lead.includes('\n') ? eol + indent : lead) + rest + after
    isCommented = /\S/.test(after)
  }
  for (const [index, { chunk, body }] of items.entries()) {
    const comma = index < items.length - 1 || last?.comma ? ',' : ''
    if (chunk === undefined) {
      put(index === 0 && isFlat ? firstLead(chunks) : blank, body(isFlat ? undefined : indent) + comma)
      continue
    }
    const isFirst = index === 0 && !/\S|\n/.test(chunk.lead)
    const value = body(isFlat ? undefined : indent)
    put(isFirst ? firstLead(chunks) : chunk.lead, value + chunk.trail + comma, chunk.after)
  }
  const isOpen = last === undefined && items.length > 0 && !isFlat && !/\n[ \t]*$/.test(tail)
  const isEmpty = items.length === 0 && !/\S/.test(tail)
  put(isEmpty ? '' : isOpen ? tail.trimEnd() + eol + outer : tail, text.slice(node.end - 1, node.end))
  return result
}

function firstLead([first]: readonly Chunk[]): string {
  return first === undefined || /\S|\n/.test(first.lead) ? '' : first.lead
}

function written(value: Json, indent: string | undefined, { unit, eol, flat }: Layout): string {
  if (flat || indent === undefined) return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', eol + indent)
}

function indentOf(lead: string): string {
  return /(?<![ \t])[ \t]*$/.exec(lead)?.[0] ?? ''
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''
}

function same(one: Json, other: Json): boolean {
  return canonicalJson(one) === canonicalJson(other)
}
