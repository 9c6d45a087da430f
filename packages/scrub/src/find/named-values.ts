/** Values of a known form that follow the name of their provider: `ACME_API_KEY=…`, `acme.io/?key=…`. */

import { startsAtBoundary } from '../text/boundaries.ts'
import { isPlaceholder, isPublicValue } from '../assignments/value.ts'
import type { Keyword, RuleMatcher } from './compile-rules.ts'
import { looksWritten, shannonEntropy } from '../text/randomness.ts'
import type { SecretSpan } from '../text/span.ts'

/** Keyword hits of provider names, ordered by their end. */
export interface NameHits {
  count: number
  keyword: Int32Array
  end: Int32Array
}

/** Maximum distance between a name and its value. */
const maxDistance = 96
/** Shorter values cannot be told apart from words. */
const minRunLength = 10
const minLengthWithoutDigit = 24
const maxStarts = 16

const runChar = new Uint8Array(128)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/.~:') {
  runChar[char.charCodeAt(0)] = 1
}

const isInRun = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at)
  return code < 128 && runChar[code] === 1
}

/** Checks every run of token characters close to a name, each only once however many names there are. */
export function findNamedValues(text: string, hits: NameHits, keywords: readonly Keyword[]): SecretSpan[] {
  const spans: SecretSpan[] = []
  let readTo = 0
  for (let hit = 0, first = 0; hit < hits.count; hit++) {
    let start = Math.max(readTo, startOfRun(text, hits.end[hit]!, readTo))
    const limit = Math.min(text.length, hits.end[hit]! + maxDistance)
    while (start < limit) {
      if (!isInRun(text, start)) {
        start++
        continue
      }
      const end = endOfRun(text, start)
      while (first < hits.count && hits.end[first]! < start - maxDistance) first++
      if (couldBeValue(text, start, end)) collect(text, start, end, hits, first, keywords, spans)
      start = end
    }
    readTo = Math.max(readTo, start)
  }
  return spans
}

function startOfRun(text: string, from: number, limit: number): number {
  let at = from
  while (at > limit && isInRun(text, at - 1)) at--
  return at
}

function endOfRun(text: string, from: number): number {
  let at = from
  while (at < text.length && isInRun(text, at)) at++
  return at
}

/** Nearly every generated value contains a digit; a long one need not. */
function couldBeValue(text: string, start: number, end: number): boolean {
  if (end - start < minRunLength) return false
  if (end - start >= minLengthWithoutDigit) return true
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
      if (nameEnd < at - maxDistance) continue
      const keyword = keywords[hits.keyword[hit]!]!
      for (const matcher of keyword.values) {
        if (tried.has(matcher)) continue
        const matched = matchAt(text, matcher, at)
        if (matched === undefined) {
          tried.add(matcher)
        } else if (isConnected(text, nameEnd - keyword.length, nameEnd, at)) {
          spans.push({ rule: matcher.rule, start: at, end: matched })
          return
        }
      }
    }
  }
}

function matchAt(text: string, { pattern, entropy }: RuleMatcher, at: number): number | undefined {
  if (!startsAtBoundary(text, at)) return undefined
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

/** Whether the text between name and value connects them: an assignment, or a word such as `token`. */
function isConnected(text: string, nameStart: number, nameEnd: number, valueStart: number): boolean {
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
