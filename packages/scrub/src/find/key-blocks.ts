/** PEM and PGP private keys: complete, escaped, indented, quoted, numbered, or truncated at either end. */

import { endOfListing, startOfListing } from './key-listings.ts'
import type { SecretSpan } from '../text/span.ts'

/** The scan's keywords for the start or end of a block. */
export const keyBlockKeywords: readonly string[] = [
  '-----begin',
  '---- begin',
  '-----end',
  '---- end',
  'private-lines:',
]

const rule = 'private-key'
const maxBlockLength = 65_536
/** Lines have 64 to 76 characters, but may be wrapped to shorter ones. The last may have any length. */
const minFullLineLength = 24

const label = String.raw`-{4,5} ?(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}`
const marker = new RegExp(label, 'iy')
const endMarker = new RegExp(label.replace('(?:BEGIN|END)', 'END'), 'iy')

/** The block that the keyword belongs to. Text before `notBefore` has already been read. */
export function findKeyBlock(
  text: string,
  keywordStart: number,
  keywordEnd: number,
  notBefore: number,
): SecretSpan | undefined {
  const word = text.slice(keywordStart, keywordEnd).toLowerCase()
  if (word === 'private-lines:') return puttyKey(text, keywordStart, keywordEnd)
  marker.lastIndex = keywordStart
  const found = marker.exec(text)
  if (found === null) return undefined
  const after = keywordStart + found[0].length
  return word.endsWith('begin')
    ? fromBegin(text, keywordStart, after)
    : backFromEnd(text, notBefore, keywordStart, after)
}

function fromBegin(text: string, start: number, after: number): SecretSpan | undefined {
  const body = readBody(text, after, Math.min(text.length, after + maxBlockLength))
  if (body.isClosed) return { rule, start, end: body.end }
  const end = Math.max(endOfListing(text, after) ?? 0, body.fullLines > 0 ? body.end : 0)
  return end === 0 ? undefined : { rule, start, end }
}

/** The `Private-Lines: n` section of a PuTTY key file, and the checksum below it. */
function puttyKey(text: string, start: number, after: number): SecretSpan | undefined {
  const count = /^ ?\d{1,3}/.exec(text.slice(after, after + 8))
  if (count === null) return undefined
  const body = readBody(text, after + count[0].length, Math.min(text.length, after + maxBlockLength))
  const mac = /^\s*(?:\\[nr])*Private-MAC: ?[0-9a-f]{40,64}/i.exec(text.slice(body.end, body.end + 100))
  return body.fullLines === 0 ? undefined : { rule, start, end: body.end + (mac?.[0].length ?? 0) }
}

interface Body {
  readonly end: number
  /** Number of full lines of key material. */
  readonly fullLines: number
  /** Whether the end marker was found. */
  readonly isClosed: boolean
}

/** What may separate the lines of a block: line breaks, quotes, prefixes of diffs and quoted mail. */
const separators =
  /(?:[\s"'`+,|>*#;()[\]{}\u200b\ufeff]|\\{1,8}[nrt"'/]|\\{1,8}\s|\/\/|-(?!-)|<[a-z/][^>\n]{0,20}>|&#1[03];|&#x[ad];|%0[ad]|(?:echo|printf)\b|\d{1,5}[:|\s)\]]\s?)*/iy
const header =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption|X-[A-Za-z-]{1,30}): ?(?:(?!\\n)[^\n]){0,200}/iy
const chunk = /(?:[A-Za-z0-9+/]|\\\/|%2[bf]|\\u002[bf]){1,8192}(?:=|%3d|\\u003d){0,2}/iy

function readBody(text: string, from: number, limit: number): Body {
  let at = from
  let end = from
  let fullLines = 0
  while (at < limit) {
    at = skipPattern(separators, text, at) ?? at
    const closingEnd = skipPattern(endMarker, text, at)
    if (closingEnd !== undefined) return { end: closingEnd, fullLines, isClosed: end > from }
    const headerEnd = skipPattern(header, text, at)
    if (headerEnd !== undefined) {
      at = headerEnd
      continue
    }
    const chunkEnd = skipPattern(chunk, text, at)
    if (chunkEnd === undefined) break
    const isFull = chunkEnd - at >= minFullLineLength
    // A short piece is either the last line of a key or prose after a mention of the marker.
    if (!isFull && (fullLines === 0 || !isLastLine(text, at, chunkEnd))) break
    if (isFull) fullLines++
    at = chunkEnd
    end = chunkEnd
  }
  return { end, fullLines, isClosed: false }
}

function skipPattern(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function isLastLine(text: string, start: number, end: number): boolean {
  const closingEnd = skipPattern(separators, text, end) ?? end
  if (skipPattern(endMarker, text, closingEnd) !== undefined) return true
  // Truncated inside a line, or a PGP checksum.
  return closingEnd >= text.length || text[start - 1] === '=' || /[\d+/]/.test(text.slice(start, end))
}

const keyLine = /([A-Za-z0-9+/]{24,8192}={0,2})/g

/** The end of a key whose start was cut off. */
function backFromEnd(
  text: string,
  notBefore: number,
  endStart: number,
  after: number,
): SecretSpan | undefined {
  const from = Math.max(notBefore, endStart - maxBlockLength)
  const lines = [...text.slice(from, endStart).matchAll(keyLine)]
  let start = endStart
  for (const line of lines.toReversed()) {
    const lineStart = from + line.index
    const gap = text.slice(lineStart + line[0].length, start)
    if (!isGap(gap, start === endStart)) break
    start = lineStart
  }
  start = Math.min(start, startOfListing(text, endStart, notBefore) ?? start)
  return start === endStart ? undefined : { rule, start, end: after }
}

/** Whether only separators lie between two lines. One short line may precede the end marker. */
function isGap(gap: string, atEnd: boolean): boolean {
  if (gap.length > 200) return false
  separators.lastIndex = 0
  const first = separators.test(gap) ? separators.lastIndex : 0
  if (first === gap.length) return true
  if (!atEnd) return false
  const short = /^=?[A-Za-z0-9+/]{1,23}={0,2}/.exec(gap.slice(first))
  if (short === null) return false
  const rest = first + short[0].length
  separators.lastIndex = rest
  return rest === gap.length || (separators.test(gap) && separators.lastIndex === gap.length)
}
