/** Values of a known form that stand behind the name of their provider: `ACME_API_KEY=…`, `acme.io/?key=…`. */

import { beginsFree } from './boundaries.ts'
import { isPlaceholder, isPublicValue } from './assignments/value.ts'
import type { Keyword, Matcher } from './compile-rules.ts'
import { looksWritten, shannonEntropy } from './randomness.ts'
import type { SecretSpan } from './span.ts'

/** Hits of names, in order of their end. */
export interface NameHits {
  count: number
  keyword: Int32Array
  end: Int32Array
}

/** A name speaks for what follows it this closely. */
const reach = 96
/** Shorter values have no form that could be told from a word. */
const shortestRun = 10
const longWithoutDigit = 24
const mostStarts = 16

const runChar = new Uint8Array(256)
const digit = new Uint8Array(256)
for (const char of 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/.~:') {
  runChar[char.charCodeAt(0)] = 1
}
for (const char of '0123456789') digit[char.charCodeAt(0)] = 1

export function findNamedValues(
  text: string,
  bytes: Uint8Array,
  hits: NameHits,
  keywords: readonly Keyword[],
): SecretSpan[] {
  const spans: SecretSpan[] = []
  let first = 0
  // Every run of that length has a run character at one of these places, so the rest need not be looked at.
  for (let at = shortestRun - 1; at < text.length && hits.count > 0; at += shortestRun) {
    if (runChar[bytes[at]!] === 0) continue
    let start = at
    while (start > 0 && runChar[bytes[start - 1]!] === 1) start--
    let end = at + 1
    while (end < text.length && runChar[bytes[end]!] === 1) end++
    at = end - 1
    while (first < hits.count && hits.end[first]! < start - reach) first++
    if (first === hits.count) break
    if (end - start < shortestRun || hits.end[first]! > end || !couldBeValue(bytes, start, end)) continue
    collect(text, start, end, hits, first, keywords, spans)
  }
  return spans
}

/** Nearly every issued value has a digit; a long one may do without. */
function couldBeValue(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start >= longWithoutDigit) return true
  for (let at = start; at < end; at++) if (digit[bytes[at]!] === 1) return true
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
  for (let at = start; at <= end - 10 && starts < mostStarts; at++) {
    if (at > start && !/[^A-Za-z0-9]/.test(text[at - 1]!)) continue
    starts++
    const tried = new Set<Matcher>()
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

function matchAt(text: string, { pattern, entropy }: Matcher, at: number): number | undefined {
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
