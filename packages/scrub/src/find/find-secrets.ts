/** Finds secrets in a text and in every other way to read it. */

import { isSecretUnder } from '../assignments/find.ts'
import type { CompiledRules } from './compile-rules.ts'
import { findInText } from './find-in-text.ts'
import { tokenPattern } from '../tokens/session-tokens.ts'
import { mergeSpans, type SecretSpan, type View } from '../text/span.ts'

export interface FindOptions {
  readonly rules: CompiledRules
  /** Other readings of a text, and how deep to go: what is decoded may be encoded again. */
  readonly viewsOf?: (text: string) => readonly View[]
  readonly depth?: number
  /** A person's own rules, in every reading. */
  readonly ownRules?: (text: string, checkTime?: () => void) => readonly SecretSpan[]
  /** Values found before: looked for in every reading, and told of every new one as it is read there. */
  readonly known?: { find(text: string): readonly SecretSpan[]; add(value: string, rule: string): void }
  /** Takes back what a person has allowed of what our rules found. */
  readonly unmask?: Unmask
  /** Called now and then; throws when the text has taken too long. */
  readonly checkTime?: () => void
}

/** What is left of the findings in one reading of a text. */
export type Unmask = (
  text: string,
  found: readonly SecretSpan[],
  checkTime?: () => void,
) => readonly SecretSpan[]

/** How deep to go where nothing else is said. */
export const maxDecodeDepth = 5

/** Every secret in the text, in order and without overlaps. Pure. */
export function findSecrets(text: string, options: FindOptions): SecretSpan[] {
  const found = findReadings(text, options, options.depth ?? maxDecodeDepth)
  return found.length === 0 ? found : withoutTokens(text, mergeSpans(found))
}

/** The same for a value that stands under a key in a structure. */
export function findSecretsUnder(key: string, value: string, options: FindOptions): SecretSpan[] {
  if (isSecretUnder(key, value)) {
    const whole = [{ rule: 'generic-api-key', start: 0, end: value.length }]
    const left = withoutTokens(value, options.unmask?.(value, whole, options.checkTime) ?? whole)
    for (const { rule, start, end } of left) options.known?.add(value.slice(start, end), rule)
    if (left.length > 0) return left
  }
  const head = `${key}=`
  const spans = findReadings(head + value, options, options.depth ?? maxDecodeDepth)
    .filter(({ end }) => end > head.length)
    .map(({ rule, start, end }) => ({
      rule,
      start: Math.max(0, start - head.length),
      end: end - head.length,
    }))
  return withoutTokens(value, mergeSpans(spans))
}

/** Names and versions of clients and tools pass here before anything else does, and the scan need not be ready for them. */
function isMereName(text: string): boolean {
  return text.length <= 32 && (/^[A-Za-z]+(?:[ ._-][A-Za-z]+)*$/.test(text) || /^[0-9.]+$/.test(text))
}

function findReadings(text: string, options: FindOptions, depth: number): SecretSpan[] {
  const { viewsOf, ownRules, known, unmask, checkTime } = options
  if (isMereName(text)) return [...(ownRules?.(text, checkTime) ?? []), ...(known?.find(text) ?? [])]
  const found = findInText(text, options.rules, checkTime)
  const left = unmask === undefined ? found : unmask(text, found, checkTime)
  const own = ownRules?.(text, checkTime) ?? []
  const spans = left.length + own.length === 0 ? [] : withoutTokens(text, mergeSpans([...left, ...own]))
  for (const { rule, start, end } of spans) known?.add(text.slice(start, end), rule)
  if (viewsOf !== undefined && depth > 0) {
    for (const view of viewsOf(text)) {
      for (const { rule, start, end } of findReadings(view.text, options, depth - 1)) {
        spans.push({ rule, ...view.locate(start, end) })
      }
    }
  }
  // Last, so that what was found in any reading is looked for in this one.
  for (const span of known?.find(text) ?? []) spans.push(span)
  return spans
}

/** A token stands for something already taken; what is left around it is looked at by itself. Spans are in order. */
function withoutTokens(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  if (spans.length === 0 || !text.includes('[SECRET_')) return [...spans]
  const tokens = [...text.matchAll(tokenPattern)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
  const pieces: SecretSpan[] = []
  let first = 0
  for (const span of spans) {
    while (first < tokens.length && tokens[first]![1] <= span.start) first++
    let from = span.start
    for (let i = first; i < tokens.length && tokens[i]![0] < span.end; i++) {
      pieces.push({ ...span, start: from, end: tokens[i]![0] })
      from = tokens[i]![1]
    }
    pieces.push({ ...span, start: from })
  }
  return pieces.filter(({ start, end }) => start < end && /[A-Za-z0-9]/.test(text.slice(start, end)))
}
