/** Values of a known form that stand behind the name of their provider: `ACME_API_KEY=…`, `acme.io/?key=…`. */

import { beginsFree } from '../text/boundaries.ts'
import { isPlaceholder, isPublicValue } from '../assignments/value.ts'
import type { Keyword, RuleMatcher } from './compile-rules.ts'
import { looksWritten, shannonEntropy } from '../text/randomness.ts'
import type { SecretSpan } from '../text/span.ts'

/** Hits of names, in order of their end. */
export interface NameHits {
  count: number
  keyword: Int32Array
  end: Int32Array
}

/** A name speaks for what follows it this closely. */
const reach = 96
/** Shorter values have no form that could be told from a word. */
const minRunLength = 10
const longWithoutDigit = 24
const maxStarts = 16

const runChar = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/.~:') {
  runChar[char.charCodeAt(0)] = 1
}

const isInRun = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code < 128 && runChar[code] === 1
}

/** Looks at every run of characters within reach of a name; no run twice, however many names there are. */
export function findNamedValues(text: string, hits: NameHits, keywords: readonly Keyword[]): SecretSpan[] {
  const spans: SecretSpan[] = []
  let readTo = 0
  for (let hit = 0, first = 0; hit < hits.count; hit++) {
    let start = Math.max(readTo, startOfRun(text, hits.end[hit]!, readTo))
    const limit = Math.min(text.length, hits.end[hit]! + reach)
    while (start < limit) {
      if (!isInRun(text, start)) {
        start++
        continue
      }
      const end = endOfRun(text, start)
      while (first < hits.count && hits.end[first]! < start - reach) first++
      if (couldBeValue(text, start, end)) collect(text, start, end, hits, first, keywords, spans)
      start = end
    }
    readTo = Math.max(readTo, start)
  }
  return spans
}

function startOfRun(text: string, from: number, least: number): number {
  let at = from
  while (at > least && isInRun(text, at - 1)) at--
  return at
}

function endOfRun(text: string, from: number): number {
  let at = from
  while (at < text.length && isInRun(text, at)) at++
  return at
}

/** Nearly every issued value has a digit; a long one may do without. */
function couldBeValue(text: string, start: number, end: number): boolean {
  if (end - start < minRunLength) return false
  if (end - start >= longWithoutDigit) return true
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code >= 48 && code <= 57) return true
  }
  return false
}

function collect(
  text: string,
  start: number,
  end: number,
  hits: NameHits,
  first: number,
  keywords: readonly Keyword[],
  spans: SecretSpan[],
): void {
  let starts = 0
  for (let at = start; at <= end - 10 && starts < maxStarts; at++) {
    if (at > start && !/[^A-Za-z0-9]/.test(text[at - 1]!)) continue
    starts++
    const tried = new Set<RuleMatcher>()
    for (let hit = first; hit < hits.count && hits.end[hit]! <= at; hit++) {
      const nameEnd = hits.end[hit]!
      if (nameEnd < at - reach) continue
      const keyword = keywords[hits.keyword[hit]!]!
      for (const matcher of keyword.values) {
        if (tried.has(matcher)) continue
        const matched = matchAt(text, matcher, at)
        if (matched === undefined) {
          tried.add(matcher)
        } else if (speaksFor(text, nameEnd - keyword.length, nameEnd, at)) {
          spans.push({ rule: matcher.rule, start: at, end: matched })
          return
        }
      }
    }
  }
}

function matchAt(text: string, { pattern, entropy }: RuleMatcher, at: number): number | undefined {
  if (!beginsFree(text, at)) return undefined
  const regex = pattern()
  regex.lastIndex = at
  if (!regex.test(text)) return undefined
  const end = regex.lastIndex
  if (text[end] === '-' && /\w/.test(text[end + 1] ?? '')) return undefined
  const value = text.slice(at, end)
  if (isPlaceholder(value) || isPublicValue(value)) return undefined
  return shannonEntropy(value) >= entropy && !looksWritten(value) ? end : undefined
}

const credentialWord =
  /key|token|secret|api|auth|pass|pwd|cred|access|bearer|\bpat\b|license|webhook|\bsid\b|private|login|header|-H|-u\b/i
const hashWord =
  /sha-?\d|sha1|md5|hash|digest|checksum|integrity|commit|revision|etag|fingerprint|@sha|blob|tree|parent|version/i

/** True where the text between name and value says that the one is the other's: an assignment, or a word for a secret. */
function speaksFor(text: string, nameStart: number, nameEnd: number, valueStart: number): boolean {
  const gap = text.slice(nameEnd, valueStart)
  if (hashWord.test(gap)) return false
  if ((gap.match(/\n/g)?.length ?? 0) > 2) return false
  if (
    /^[\w.\-$\]]{0,40}["'\\`)\]]{0,4}[ \t]{0,8}(?:=>|:=|[=:,(>]|->)[ \t(]{0,8}[\w@]{0,2}["'\\`]{0,4}$/.test(
      gap,
    )
  )
    return true
  const line = text.slice(Math.max(0, nameStart - 40), valueStart)
  return credentialWord.test(line.slice(line.lastIndexOf('\n', line.length - gap.length - 1) + 1))
}
