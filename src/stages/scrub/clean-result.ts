/** Scrubs every text of a result and reports where something was found. */

import type { Json, JsonObject } from '@contextd/shared/json/value'
import type { Mutable } from '../../core/mutable.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import type { Scrubbed } from '../../core/ports.ts'
import type { Answer, Block, Result } from '../../core/result.ts'
import { scrubAcross } from '@contextd/scrub/internal/across-texts'
import { binaryField, readableText, unwrapped, withheldBlock } from './withheld-blocks.ts'

/** The location of a text: its last path segment, and the parent path. */
interface Step {
  readonly parent?: Step
  readonly name: string | number
}

export interface Cleaner {
  /** `key` is the text's field name. */
  scrub(text: string, key?: string): Scrubbed
  /** Whether we wrote the text ourselves; several such texts in a row contain no secret either. */
  isOwn(text: string): boolean
  /** Called for every finding. */
  onFinding(rule: string, place: string): void
}

/** Shorter numbers are not secrets, and there may be very many. */
const minNumber = 100_000

/** Keys are scrubbed too, and reported places only contain scrubbed keys. */
export function cleanJson<T extends Json>(value: T, root: string, cleaner: Cleaner): T {
  const clean = (text: string, key: string | undefined, place: () => string): string => {
    const { text: scrubbed, findings } = cleaner.scrub(text, key)
    if (findings.length === 0) return scrubbed
    const where = place()
    for (const { rule } of findings) cleaner.onFinding(rule, where)
    return scrubbed
  }
  const withheld = new WeakSet<object>()
  const isWithheld = (item: Json): boolean => isJsonObject(item) && withheld.has(item)
  const walk = (item: Json, key: string | undefined, step: Step): Json => {
    if (typeof item === 'string') return clean(item, key, () => formatPlace(step))
    if (typeof item === 'number') {
      if (key === undefined || !Number.isInteger(item) || Math.abs(item) < minNumber) return item
      const text = String(item)
      const cleaned = clean(text, key, () => formatPlace(step))
      return cleaned === text ? item : cleaned
    }
    if (Array.isArray(item)) {
      const scrubbedItem = cleanAcross(item, '\n', cleaner, (index) =>
        formatPlace({ parent: step, name: index }),
      )
      return scrubbedItem.map((one, index) => walk(one, key, { parent: step, name: index }))
    }
    if (!isJsonObject(item)) return item
    const binary = canContainBlocks(root) ? binaryField(item) : undefined
    const cleaned: [string, Json][] = []
    let rules: readonly string[] = []
    for (const [name, one] of Object.entries(item)) {
      const shown = clean(name, undefined, () => `${formatPlace(step)} (a name)`)
      const below = { parent: step, name: shown }
      if (name === binary) rules = rulesIn(one as string, name, below)
      cleaned.push([shown, name === binary ? one : walk(one, name, below)])
    }
    // fromEntries defines properties, so a key named __proto__ stays data.
    const scrubbedItem: JsonObject = Object.fromEntries(cleaned)
    if (rules.length === 0) return unwrapped(scrubbedItem, isWithheld)
    const text = withheldBlock(scrubbedItem, rules)
    withheld.add(text)
    return text
  }
  const rulesIn = (text: string, key: string, step: Step): string[] => {
    const { findings } = cleaner.scrub(readableText(text), key)
    for (const { rule } of findings) cleaner.onFinding(rule, formatPlace(step))
    return findings.map(({ rule }) => rule)
  }
  return walk(value, undefined, { name: root }) as T
}

/** Elsewhere, what looks like a block is a caller's own data. */
function canContainBlocks(root: string): boolean {
  return /^(?:content\[|(?:result|requests|question)$)/.test(root)
}

/** Removes secrets that span adjacent texts: strings, or blocks with a `text`. */
function cleanAcross(
  items: readonly Json[],
  separator: string,
  { scrub, isOwn, onFinding }: Cleaner,
  place: (index: number) => string,
): readonly Json[] {
  const cleaned = [...items]
  let from = 0
  while (from < items.length) {
    const texts: string[] = []
    for (let text = textOf(items[from]); text !== undefined; text = textOf(items[from + texts.length])) {
      texts.push(text)
    }
    const across = scrubAcross(texts.every(isOwn) ? [] : texts, scrub, separator)
    for (const { rule, index } of across.findings) onFinding(rule, place(from + index))
    for (const [index, text] of across.texts.entries()) {
      const item = items[from + index]
      if (text !== texts[index]) cleaned[from + index] = isJsonObject(item) ? { ...item, text } : text
    }
    from += texts.length + 1
  }
  return cleaned
}

function textOf(item: Json | undefined): string | undefined {
  if (typeof item === 'string') return item
  return isJsonObject(item) && Object.hasOwn(item, 'text') && typeof item.text === 'string'
    ? item.text
    : undefined
}

/** A text may be split across several blocks at any position, even inside a word. */
function cleanCuts(blocks: readonly Json[], cleaner: Cleaner, place: (index: number) => string): Json[] {
  const cleaned: Json[] = []
  let from = 0
  for (let next = 1; next <= blocks.length; next++) {
    if (next < blocks.length && isCut(textOf(blocks[next - 1]), textOf(blocks[next]), cleaner)) continue
    const begin = from
    const run = cleanAcross(blocks.slice(begin, next), '', cleaner, (index) => place(begin + index))
    for (const block of run) cleaned.push(block)
    from = next
  }
  return cleaned
}

/** A secret that is complete is not split: the next block starts with something else. */
function isCut(before: string | undefined, after: string | undefined, { scrub }: Cleaner): boolean {
  if (before === undefined || after === undefined) return false
  if (!/[\w+/=-]$/.test(before) || !/^[\w+/=-]/.test(after)) return false
  return scrub(before).findings.at(-1)?.end !== before.length && scrub(after).findings[0]?.start !== 0
}

function cleanContent(content: readonly Block[], cleaner: Cleaner): Block[] {
  const [first] = content
  // A single block is not split.
  if (first !== undefined && content.length === 1) return [cleanJson(first, 'content[0]', cleaner)]
  const place = (index: number): string => `content[${index}].text`
  const lines = cleanAcross(content, '\n', cleaner, place)
  return cleanCuts(lines, cleaner, place).map(
    (block, index) => cleanJson(block, `content[${index}]`, cleaner) as Block,
  )
}

export function cleanResult(result: Result, cleaner: Cleaner): Result {
  switch (result.kind) {
    case 'answer': {
      const { structured, meta } = result
      const cleaned: Mutable<Answer> = {
        ...result,
        content: cleanContent(result.content, cleaner),
      }
      if (structured !== undefined) cleaned.structured = cleanJson(structured, 'structured', cleaner)
      if (meta !== undefined) cleaned.meta = cleanJson(meta, 'meta', cleaner)
      return cleaned
    }
    case 'payload':
      return { ...result, value: cleanJson(result.value, 'result', cleaner) }
    case 'input_required':
      return {
        ...result,
        requests: cleanJson(result.requests, 'requests', cleaner),
        ...(result.state !== undefined && { state: cleanJson(result.state, 'state', cleaner) }),
      }
    case 'fault':
      return { ...result, error: cleanJson(result.error, 'error', cleaner) }
    case 'refusal':
      return {
        ...result,
        error: cleanJson(result.error as JsonObject, 'error', cleaner) as typeof result.error,
      }
  }
}

/** Limits of a displayed place: length of a name, and number of names. */
const maxNameLength = 40
const maxNames = 8

/** `structured.data.env[2]` */
function formatPlace(last: Step): string {
  const names: string[] = []
  for (let step: Step | undefined = last; step !== undefined; step = step.parent) {
    if (typeof step.name === 'number') names.unshift(`[${step.name}]`)
    else names.unshift(`${step.parent === undefined ? '' : '.'}${short(step.name)}`)
  }
  if (names.length > maxNames) names.splice(maxNames / 2, names.length - maxNames, '…')
  return names.join('')
}

function short(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength - 1)}…`
}
