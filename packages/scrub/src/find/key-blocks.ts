/** Private keys in armour: whole, escaped, indented, quoted, numbered, or cut off at either end. */

import { endOfListing, startOfListing } from './key-listings.ts'
import type { SecretSpan } from '../text/span.ts'

/** Where a block may begin or end, for the scan. */
export const keyBlockKeywords: readonly string[] = [
  '-----begin',
  '---- begin',
  '-----end',
  '---- end',
  'private-lines:',
]

const rule = 'private-key'
const maxBlockLength = 65_536
/** A line of armour has 64 to 76 characters; the last may have any number. */
const fullLine = 24

const label = String.raw`-{4,5} ?(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}`
const marker = new RegExp(label, 'iy')
const endMarker = new RegExp(label.replace('(?:BEGIN|END)', 'END'), 'iy')

/** The block that the keyword belongs to; nothing before `notBefore` does, because it was read already. */
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
  if (body.closed) return { rule, start, end: body.end }
  const end = Math.max(endOfListing(text, after) ?? 0, body.full > 0 ? body.end : 0)
  return end === 0 ? undefined : { rule, start, end }
}

/** `Private-Lines: n` of PuTTY's files, and the checksum under it. */
function puttyKey(text: string, start: number, after: number): SecretSpan | undefined {
  const count = /^ ?\d{1,3}/.exec(text.slice(after, after + 8))
  if (count === null) return undefined
  const body = readBody(text, after + count[0].length, Math.min(text.length, after + maxBlockLength))
  const mac = /^\s*(?:\\[nr])*Private-MAC: ?[0-9a-f]{40,64}/i.exec(text.slice(body.end, body.end + 100))
  return body.full === 0 ? undefined : { rule, start, end: body.end + (mac?.[0].length ?? 0) }
}

interface Body {
  readonly end: number
  /** How many full lines of key it has. */
  readonly full: number
  /** Its end marker was there. */
  readonly closed: boolean
}

/** What may stand between and around the lines of a block: line breaks, quotes, prefixes of diffs and quotations. */
const between =
  /(?:[\s"'`+,|>*#;()[\]{}\u200b\ufeff]|\\{1,8}[nrt"'/]|\\{1,8}\s|\/\/|-(?!-)|<[a-z/][^>\n]{0,20}>|&#1[03];|&#x[ad];|%0[ad]|(?:echo|printf)\b|\d{1,5}[:|\s)\]]\s?)*/iy
const header =
  /(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|MessageID|Encryption|X-[A-Za-z-]{1,30}): ?(?:(?!\\n)[^\n]){0,200}/iy
const chunk = /(?:[A-Za-z0-9+/]|\\\/|%2[bf]|\\u002[bf]){1,8192}(?:=|%3d|\\u003d){0,2}/iy

function readBody(text: string, from: number, most: number): Body {
  let at = from
  let end = from
  let full = 0
  while (at < most) {
    at = past(between, text, at) ?? at
    const closing = past(endMarker, text, at)
    if (closing !== undefined) return { end: closing, full, closed: end > from }
    const headed = past(header, text, at)
    if (headed !== undefined) {
      at = headed
      continue
    }
    const read = past(chunk, text, at)
    if (read === undefined) break
    const isFull = read - at >= fullLine
    // A short piece is the last line of a key, or the words that follow a mere mention of one.
    if (!isFull && (full === 0 || !isLastLine(text, at, read))) break
    if (isFull) full++
    at = read
    end = read
  }
  return { end, full, closed: false }
}

function past(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}

function isLastLine(text: string, start: number, end: number): boolean {
  const closing = past(between, text, end) ?? end
  if (past(endMarker, text, closing) !== undefined) return true
  // Cut in the middle of a line, or PGP's checksum.
  return closing >= text.length || text[start - 1] === '=' || /[\d+/]/.test(text.slice(start, end))
}

const keyLine = /([A-Za-z0-9+/]{24,8192}={0,2})/g

/** The end of a key whose beginning was cut off. */
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

/** Nothing but what may stand between two lines, and before the end marker one short line. */
function isGap(gap: string, atEnd: boolean): boolean {
  if (gap.length > 200) return false
  between.lastIndex = 0
  const first = between.test(gap) ? between.lastIndex : 0
  if (first === gap.length) return true
  if (!atEnd) return false
  const short = /^=?[A-Za-z0-9+/]{1,23}={0,2}/.exec(gap.slice(first))
  if (short === null) return false
  const rest = first + short[0].length
  between.lastIndex = rest
  return rest === gap.length || (between.test(gap) && between.lastIndex === gap.length)
}
