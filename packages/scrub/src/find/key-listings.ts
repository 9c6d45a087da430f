/** Private keys in a listing: every line has a prefix such as a timestamp, an author, a file name or a table border. */

import { looksWritten } from '../text/randomness.ts'

const marker = /-{4,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/i
/** A line with any prefix that ends in a full line of key material. */
const keyLine = /(?:^|[^A-Za-z0-9+/])([A-Za-z0-9+/]{32,100}={0,2})[^A-Za-z0-9+/=]{0,100}$/
/** The last line of a key may be short. */
const lastLine = /(?:^|[^A-Za-z0-9+/])=?[A-Za-z0-9+/]{1,100}={0,2}[^A-Za-z0-9+/=]{0,100}$/
const maxLines = 1000

/** Where the key that starts on the line of `from` ends; undefined if no key follows. */
export function endOfListing(text: string, from: number): number | undefined {
  let end: number | undefined
  let at = nextLine(text, from)
  for (let lines = 0; at !== undefined && lines < maxLines; lines++) {
    const lineEnd = endOfLine(text, at)
    const line = text.slice(at, lineEnd)
    const closing = marker.exec(line)
    if (closing !== null) return end === undefined ? undefined : at + closing.index + closing[0].length
    if (isKeyLine(line)) end = lineEnd
    else if (end === undefined || !closes(text, lineEnd) || !lastLine.test(line)) break
    at = nextLine(text, lineEnd)
  }
  return end
}

/** Where the key starts whose end marker is on the line of `marker`, no earlier than `notBefore`. */
export function startOfListing(text: string, marker: number, notBefore: number): number | undefined {
  let start: number | undefined
  let lineStart = startOfLine(text, marker)
  for (let lines = 0; lineStart > notBefore && lines < maxLines; lines++) {
    const at = startOfLine(text, lineStart - 1)
    const line = text.slice(at, lineStart - 1)
    if (isKeyLine(line)) start = Math.max(at, notBefore)
    else if (lines > 0 || !lastLine.test(line)) break
    lineStart = at
  }
  return start
}

function isKeyLine(line: string): boolean {
  const key = keyLine.exec(line.trimEnd())?.[1]
  return key !== undefined && !looksWritten(key)
}

function closes(text: string, lineEnd: number): boolean {
  const next = nextLine(text, lineEnd)
  return next !== undefined && marker.test(text.slice(next, endOfLine(text, next)))
}

/** Longer lines are not part of a listing. */
const maxLineLength = 400

function endOfLine(text: string, at: number): number {
  const length = text.slice(at, at + maxLineLength).indexOf('\n')
  return length === -1 ? Math.min(text.length, at + maxLineLength) : at + length
}

function startOfLine(text: string, at: number): number {
  const from = Math.max(0, at - maxLineLength)
  const before = text.slice(from, at).lastIndexOf('\n')
  return before === -1 ? from : from + before + 1
}

function nextLine(text: string, at: number): number | undefined {
  const end = endOfLine(text, at)
  return text[end] === '\n' && end + 1 < text.length ? end + 1 : undefined
}
