/** Removes other agents' private context from a text, in any spelling or encoding. */

import { applyFindings, privateMask, privateRule } from '../../../core/findings.ts'
import type { Scrubbed } from '../../../core/ports.ts'
import { viewsOf } from '@contextd/scrub/internal/decode'
import { tokenPattern } from '@contextd/scrub/internal/session-tokens'
import { mergeSpans, spanCoverage, type SecretSpan } from '@contextd/scrub/internal/span'
import type { ContextMatch, ContextMatcher } from './matcher.ts'

/** Max nested encodings. */
const maxDepth = 3

/** `caller` may see its own context; undefined may see none. */
export function maskPrivate(text: string, matcher: ContextMatcher, caller: string | undefined): Scrubbed {
  const own: SecretSpan[] = []
  const others: SecretSpan[] = []
  for (const { owners, start, end } of findAll(text, matcher, maxDepth)) {
    const isOwn = caller !== undefined && owners.has(caller)
    const spans = isOwn ? own : others
    spans.push({ rule: privateRule, start, end })
  }
  // The caller knows its own context, even if others have it too.
  const isOwn = spanCoverage(mergeSpans(own))
  const spans = outsideMarks(text, mergeSpans(others.filter((span) => !isOwn(span))))
  const findings = spans.map(({ rule, start, end }) => ({ rule, start, end, token: privateMask }))
  return { text: applyFindings(text, findings), findings }
}

function findAll(text: string, matcher: ContextMatcher, depth: number): ContextMatch[] {
  const found = matcher.find(text)
  if (depth === 0) return found
  for (const view of viewsOf(text)) {
    for (const { start, end, owners } of findAll(view.text, matcher, depth - 1)) {
      found.push({ owners, ...view.locate(start, end) })
    }
  }
  return found
}

const marks = new RegExp(`\\[PRIVATE\\]|${tokenPattern.source}`, 'g')

/** Earlier masks and tokens stay unchanged: they already replace something. */
function outsideMarks(text: string, spans: readonly SecretSpan[]): SecretSpan[] {
  const existingMarks = spans.length === 0 ? [] : [...text.matchAll(marks)]
  if (existingMarks.length === 0) return [...spans]
  const pieces: SecretSpan[] = []
  let next = 0
  for (const span of spans) {
    const { start, end } = span
    while (next < existingMarks.length && endOf(existingMarks[next]!) <= start) next++
    let from = start
    for (let at = next; at < existingMarks.length && existingMarks[at]!.index < end; at++) {
      pieces.push({ ...span, start: from, end: existingMarks[at]!.index })
      from = endOf(existingMarks[at]!)
    }
    pieces.push({ ...span, start: from })
  }
  return pieces.filter(({ start, end }) => start < end && /[\p{L}\p{N}]/u.test(text.slice(start, end)))
}

const endOf = ({ index, 0: mark }: RegExpExecArray): number => index + mark.length
