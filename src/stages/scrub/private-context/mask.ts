/** A text with everything taken out that is private to somebody else, in whatever way it is written there. */

import type { Finding, Scrubbed } from '../../../core/ports.ts'
import { viewsOf } from '../decode/views.ts'
import { tokenPattern } from '../session-tokens.ts'
import { mergeSpans, type SecretSpan } from '../span.ts'
import type { Match, Matcher } from './matcher.ts'

export const privateMask = '[PRIVATE]'
export const privateRule = 'private-context'

/** What is encoded may be encoded again. */
const deepest = 3

/** `caller` is who may see its own; undefined is nobody. */
export function maskPrivate(text: string, matcher: Matcher, caller: string | undefined): Scrubbed {
  const own: SecretSpan[] = []
  const others: SecretSpan[] = []
  for (const { owners, start, end } of readings(text, matcher, deepest)) {
    const isOwn = caller !== undefined && owners.has(caller)
    const spans = isOwn ? own : others
    spans.push({ rule: privateRule, start, end })
  }
  const spans = outsideMarks(text, mergeSpans(others.filter(notWithin(mergeSpans(own)))))
  const findings = spans.map(({ rule, start, end }) => ({ rule, start, end, token: privateMask }))
  return { text: applyFindings(text, findings), findings }
}

/** What is part of the caller's own context is no news to it, whoever else has it too. */
function notWithin(own: readonly SecretSpan[]): (span: SecretSpan) => boolean {
  const starts = own.map(({ start }) => start)
  return ({ start, end }) => {
    let low = 0
    let high = starts.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= start) low = middle + 1
      else high = middle
    }
    return low === 0 || own[low - 1]!.end < end
  }
}

/** The text with the token of every finding in its place. They are in order and do not overlap. */
export function applyFindings(text: string, findings: readonly Finding[]): string {
  let masked = ''
  let from = 0
  for (const { start, end, token } of findings) {
    masked += text.slice(from, start) + token
    from = end
  }
  return masked + text.slice(from)
}

/**
 * What two looks at the same text found. Where they meet, all of it is private: a token would give the value of something
 * that is nobody's to see.
 */
export function bothFindings(text: string, scrubbed: Scrubbed, masked: Scrubbed): Scrubbed {
  if (masked.findings.length === 0) return scrubbed
  if (scrubbed.findings.length === 0) return masked
  const findings: Finding[] = []
  const all = [...scrubbed.findings, ...masked.findings].sort((a, b) => a.start - b.start || b.end - a.end)
  for (const finding of all) {
    const last = findings.at(-1)
    if (last === undefined || finding.start >= last.end) {
      findings.push(finding)
    } else if (last.token !== privateMask && finding.token !== privateMask) {
      throw new Error('the findings of one text overlap')
    } else {
      const end = Math.max(last.end, finding.end)
      findings[findings.length - 1] = { rule: privateRule, token: privateMask, start: last.start, end }
    }
  }
  return { text: applyFindings(text, findings), findings }
}

function readings(text: string, matcher: Matcher, depth: number): Match[] {
  const found = matcher.find(text)
  if (depth === 0) return found
  for (const view of viewsOf(text)) {
    for (const { start, end, owners } of readings(view.text, matcher, depth - 1)) {
      found.push({ owners, ...view.locate(start, end) })
    }
  }
  return found
}

const marks = new RegExp(`\\[PRIVATE\\]|${tokenPattern.source}`, 'g')

/** What was masked before stays as it is, and so does a token: they stand for something already taken. */
function outsideMarks(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const taken = spans.length === 0 ? [] : [...text.matchAll(marks)]
  if (taken.length === 0) return [...spans]
  const pieces: SecretSpan[] = []
  let next = 0
  for (const span of spans) {
    const { start, end } = span
    while (next < taken.length && endOf(taken[next]!) <= start) next++
    let from = start
    for (let at = next; at < taken.length && taken[at]!.index < end; at++) {
      pieces.push({ ...span, start: from, end: taken[at]!.index })
      from = endOf(taken[at]!)
    }
    pieces.push({ ...span, start: from })
  }
  return pieces.filter(({ start, end }) => start < end && /[\p{L}\p{N}]/u.test(text.slice(start, end)))
}

const endOf = ({ index, 0: mark }: RegExpExecArray): number => index + mark.length
