/** Finds secrets in a text and in all its decoded views. */

import { isSecretUnder } from '../assignments/find.ts'
import type { CompiledRules } from './compile-rules.ts'
import { findInText } from './find-in-text.ts'
import { tokenPattern } from '../tokens/session-tokens.ts'
import { mergeSpans, type SecretSpan, type View } from '../text/span.ts'

export interface FindOptions {
  readonly rules: CompiledRules
  /** Decoded views of a text, and how many levels of encoding to decode. */
  readonly viewsOf?: (text: string) => readonly View[]
  readonly depth?: number
  /** The user's own rules, applied to every view. */
  readonly ownRules?: (text: string, checkTime?: () => void) => readonly SecretSpan[]
  /** Values found before: searched for in every view, and extended with every new finding. */
  readonly known?: { find(text: string): readonly SecretSpan[]; add(value: string, rule: string): void }
  /** Removes findings of built-in rules that the user has allowed. */
  readonly unmask?: Unmask
  /** Called regularly; throws when the text has taken too long. */
  readonly checkTime?: () => void
}

/** Returns the findings in one view of a text that the user has not allowed. */
export type Unmask = (
  text: string,
  found: readonly SecretSpan[],
  checkTime?: () => void,
) => readonly SecretSpan[]

/** Default number of encoding levels to decode. */
export const maxDecodeDepth = 5

/** Every secret in the text, in order and without overlaps. Pure. */
export function findSecrets(text: string, options: FindOptions): SecretSpan[] {
  const found = findInViews(text, options, options.depth ?? maxDecodeDepth)
  return found.length === 0 ? found : withoutTokens(text, mergeSpans(found))
}

/** Like `findSecrets`, for the value of a key in structured data. */
export function findSecretsUnder(key: string, value: string, options: FindOptions): SecretSpan[] {
  if (isSecretUnder(key, value)) {
    const fullSpan = [{ rule: 'generic-api-key', start: 0, end: value.length }]
    const remaining = withoutTokens(value, options.unmask?.(value, fullSpan, options.checkTime) ?? fullSpan)
    for (const { rule, start, end } of remaining) options.known?.add(value.slice(start, end), rule)
    if (remaining.length > 0) return remaining
  }
  const prefix = `${key}=`
  const spans = findInViews(prefix + value, options, options.depth ?? maxDecodeDepth)
    .filter(({ end }) => end > prefix.length)
    .map(({ rule, start, end }) => ({
      rule,
      start: Math.max(0, start - prefix.length),
      end: end - prefix.length,
    }))
  return withoutTokens(value, mergeSpans(spans))
}

/** Names and versions of clients and tools come first in a session. Skipping them avoids compiling the rules early. */
function isPlainName(text: string): boolean {
  return text.length <= 32 && (/^[A-Za-z]+(?:[ ._-][A-Za-z]+)*$/.test(text) || /^[0-9.]+$/.test(text))
}

function findInViews(text: string, options: FindOptions, depth: number): SecretSpan[] {
  const { viewsOf, ownRules, known, unmask, checkTime } = options
  if (isPlainName(text)) return [...(ownRules?.(text, checkTime) ?? []), ...(known?.find(text) ?? [])]
  const found = findInText(text, options.rules, checkTime)
  const kept = unmask === undefined ? found : unmask(text, found, checkTime)
  const own = ownRules?.(text, checkTime) ?? []
  const spans = kept.length + own.length === 0 ? [] : withoutTokens(text, mergeSpans([...kept, ...own]))
  for (const { rule, start, end } of spans) known?.add(text.slice(start, end), rule)
  if (viewsOf !== undefined && depth > 0) {
    for (const view of viewsOf(text)) {
      for (const { rule, start, end } of findInViews(view.text, options, depth - 1)) {
        spans.push({ rule, ...view.locate(start, end) })
      }
    }
  }
  // Last, so that values found in any view are searched for in this one.
  for (const span of known?.find(text) ?? []) spans.push(span)
  return spans
}

/** Cuts tokens out of the spans: they represent secrets that are already replaced. Spans are in order. */
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
