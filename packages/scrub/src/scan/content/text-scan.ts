/**
 * Scans a text of any length in overlapping windows, so that no secret is split. Each secret is reported once, by the
 * window that owns its start.
 */

import { lineIndexOf } from '../../gitleaks/lines.ts'
import { findSecrets } from '../../find/find-secrets.ts'
import { viewsOf } from '../../decode/views.ts'
import { lookAhead, lookBack, pieceLength } from '../../text/segments.ts'
import { mergeSpans, type SecretSpan } from '../../text/span.ts'
import { searchText, type MatchedSecret, type Search } from './search-text.ts'
import { shownLine } from './shown-line.ts'

/** Offsets count UTF-16 units from the start of the text; lines and columns start at 1. */
export interface LocatedSecret {
  readonly rule: string
  readonly start: number
  readonly end: number
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
  readonly matchStart: number
  /** gitleaks' fingerprints contain the line where the match starts. */
  readonly matchLine: number
  /** Not part of any report. */
  readonly secret: string
  /** The line it is in, with secrets masked. */
  readonly shown: string
}

export interface TextScanResult {
  readonly found: readonly LocatedSecret[]
  /** The lines of allowed findings. */
  readonly allowed: readonly number[]
}

export interface TextScan {
  push(text: string): TextScanResult
  /** Skips this many units that contain neither text nor a line break. The text before them ends there. */
  skip(length: number): TextScanResult
  end(): TextScanResult
}

export const nothingFound: TextScanResult = { found: [], allowed: [] }

export function createTextScan(search: Search, firstLine = 1): TextScan {
  /** The text still needed; everything before `done` serves as context only. */
  let held = ''
  let done = 0
  /** The offset of `held` in the text. */
  let offset = 0
  let line = firstLine
  let column = 1
  /** The last offset reported by each rule. */
  const lastEndOf = new Map<string, number>()

  const discard = (count: number): void => {
    const lastBreak = held.lastIndexOf('\n', count - 1)
    if (count > 0 && lastBreak !== -1) {
      for (let at = held.indexOf('\n'); at !== -1 && at < count; at = held.indexOf('\n', at + 1)) line++
      column = count - lastBreak
    } else column += count
    held = held.slice(count)
    offset += count
    done -= count
  }

  const scanWindow = (isLast: boolean): TextScanResult => {
    const window = isLast ? held : held.slice(0, done + pieceLength + lookAhead)
    const end = isLast ? held.length : cutAfter(held, done + pieceLength)
    const { findings, allowed, hidden } = searchText(window, search)
    const startsInWindow = ({ start }: SecretSpan): boolean => start >= done && (isLast || start < end)
    const reported = findings.filter(
      (found) => startsInWindow(found) && found.end + offset > (lastEndOf.get(found.rule) ?? 0),
    )
    const { place, lineAt } = locator(window, { offset, line, column })
    const findAll = (text: string): SecretSpan[] =>
      findSecrets(text, { rules: search.rules.builtin, viewsOf })
    // Without decoding, encoded secrets are not reported, but must not be shown either.
    const masks =
      reported.length === 0 || search.decode ? hidden : mergeSpans([...hidden, ...findAll(window)])
    const found = reported.map((secret) => ({
      ...place(secret),
      shown: shownLine(window, secret, masks, findAll),
    }))
    const result = { found, allowed: allowed.filter(startsInWindow).map(({ start }) => lineAt(start)) }
    for (const { rule, end } of reported) lastEndOf.set(rule, offset + end)
    done = end
    return result
  }

  const advance = (isLast: boolean): TextScanResult => {
    let result = nothingFound
    const add = (more: TextScanResult): void => {
      if (more.found.length === 0 && more.allowed.length === 0) return
      result = { found: [...result.found, ...more.found], allowed: [...result.allowed, ...more.allowed] }
    }
    while (held.length - done >= pieceLength + lookAhead) {
      add(scanWindow(false))
      discard(Math.max(0, done - lookBack))
    }
    if (isLast && done < held.length) add(scanWindow(true))
    return result
  }

  return {
    push(text) {
      held += text
      return held.length - done >= pieceLength + lookAhead ? advance(false) : nothingFound
    },
    skip(length) {
      const result = advance(true)
      discard(held.length)
      done = 0
      offset += length
      column += length
      return result
    },
    end: () => advance(true),
  }
}

/** The offset after the next line break, if one is near, so that the next window starts at a line. */
function cutAfter(text: string, at: number): number {
  const lineBreak = text.slice(at, at + lookBack).indexOf('\n')
  return lineBreak === -1 ? at : at + lineBreak + 1
}

function locator(
  window: string,
  base: { readonly offset: number; readonly line: number; readonly column: number },
): {
  readonly place: (found: MatchedSecret) => Omit<LocatedSecret, 'shown'>
  readonly lineAt: (offset: number) => number
} {
  const lines = lineIndexOf(window)
  const lineAt = (at: number): number => base.line + lines.lineAt(at) - 1
  const columnAt = (at: number): number => lines.columnAt(at) + (lines.lineAt(at) === 1 ? base.column - 1 : 0)
  const place = ({ rule, start, end, matchStart }: MatchedSecret): Omit<LocatedSecret, 'shown'> => ({
    rule,
    start: base.offset + start,
    end: base.offset + end,
    line: lineAt(start),
    column: columnAt(start),
    endLine: lineAt(end),
    endColumn: columnAt(end),
    matchStart: base.offset + matchStart,
    matchLine: lineAt(matchStart),
    secret: window.slice(start, end),
  })
  return { place, lineAt }
}
