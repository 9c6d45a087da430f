/** Every finding in a text and its decodings, including those that are not reported. */

import { viewsOf } from '../decode/views.ts'
import type { CompiledRules } from '../find/compile-rules.ts'
import { findInText } from '../find/find-in-text.ts'
import { builtinRule } from '../find/rule-list.ts'
import type { UserRules } from '../gitleaks/user-rules.ts'
import type { SecretSpan } from '../text/span.ts'
import type { KeywordHit } from './explain-miss.ts'

/** A finding in one decoding of the text, as its rule reported it. */
export interface RawFinding extends SecretSpan {
  readonly encodings: readonly string[]
  readonly isOwn: boolean
  /** Whether the user's rules suppress it. */
  readonly isAllowed: boolean
  readonly keyword?: KeywordHit
}

export interface CollectOptions {
  readonly rules: CompiledRules
  readonly decode: boolean
  readonly own?: UserRules
}

/** Number of encodings that are removed one after another. */
const maxDecodeDepth = 5

/** All findings in all decodings, with offsets in `text`. Follows the steps of the engine. */
export function collectFindings(text: string, options: CollectOptions, depth = maxDecodeDepth): RawFinding[] {
  const { rules, decode, own } = options
  const hits = hitsIn(text, rules)
  const builtin = findInText(text, rules)
  const masked = own?.unmask?.(text, builtin) ?? builtin
  const isAllowed = (span: SecretSpan): boolean => !masked.some((other) => overlaps(other, span))
  const raw: RawFinding[] = [
    ...builtin.map((span) => rawFinding(span, hits, false, isAllowed(span))),
    ...(own?.find(text) ?? []).map((span) => rawFinding(span, hits, true, false)),
  ]
  if (!decode || depth === 0) return raw
  for (const view of viewsOf(text)) {
    for (const inner of collectFindings(view.text, options, depth - 1)) {
      const place = view.locate(inner.start, inner.end)
      const source = text.slice(place.start, place.end)
      const isClear = source === view.text.slice(inner.start, inner.end)
      const encodings = isClear ? inner.encodings : [encodingOf(source), ...inner.encodings]
      raw.push({ ...inner, ...place, encodings })
    }
  }
  return raw
}

function rawFinding(
  span: SecretSpan,
  hits: readonly KeywordHit[],
  isOwn: boolean,
  isAllowed: boolean,
): RawFinding {
  const keyword = isOwn ? undefined : keywordOf(span, hits)
  return { ...span, encodings: [], isOwn, isAllowed, ...(keyword && { keyword }) }
}

/** The last keyword of the rule that starts before the secret, or else the first one inside it. */
function keywordOf({ rule, start, end }: SecretSpan, hits: readonly KeywordHit[]): KeywordHit | undefined {
  const own = hits.filter((hit) => hit.start < end && keywordsOf(rule).includes(hit.keyword))
  return own.findLast((hit) => hit.start <= start) ?? own[0]
}

export function keywordsOf(rule: string): readonly string[] {
  return builtinRule(rule)?.keywords ?? []
}

export function hitsIn(text: string, { automaton }: CompiledRules): KeywordHit[] {
  const { count, keyword, end } = automaton.scan(text)
  return Array.from({ length: count }, (_, i) => {
    const word = automaton.keywords[keyword[i]!]!
    return { keyword: word, start: end[i]! - word.length, end: end[i]! }
  })
}

export function overlaps(a: Stretch, b: Stretch): boolean {
  return a.start < b.end && b.start < a.end
}

interface Stretch {
  readonly start: number
  readonly end: number
}

/** Guesses the encoding of a part of a text from its appearance. */
function encodingOf(source: string): string {
  return appearances.find(([, pattern]) => pattern.test(source))?.[0] ?? 'unknown encoding'
}

const appearances: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['UTF-16', /^(?:[^\0]\0|\0[^\0]){4,}/],
  ['percent-encoding', /%[0-9a-f]{2}/i],
  ['HTML entities', /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8});/i],
  ['unicode escapes', /\\u\{?[0-9a-f]{2,6}|U\+[0-9a-f]{4}/i],
  ['hexadecimal escapes', /\\x[0-9a-f]{2}/i],
  ['octal escapes', /\\[0-3][0-7]{2}/],
  ['quoted-printable', /=(?:[0-9A-F]{2}|\r?\n)/],
  ['terminal sequences', new RegExp(String.raw`\u{1b}\[`, 'u')],
  ['invisible characters', /[\u200b-\u200f\u2060-\u2064\ufeff\u00ad]/],
  ['escapes', /\\[nrt"'\\/]/],
  ['hexadecimal', /^(?:0x)?[0-9a-f\s:,]+$/i],
  ['base32', /^[A-Z2-7\s]+=*$/],
  ['base64', /^[A-Za-z0-9+/_\-\s]+={0,2}$/],
  ['line wraps', /[\r\n]/],
]
