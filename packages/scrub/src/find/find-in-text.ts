/** Finds secrets in one view of a text: one pass over its bytes, with patterns matched only at keywords. */

import { findAssigned } from '../assignments/find.ts'
import { isPlaceholder } from '../assignments/value.ts'
import { startsAtBoundary, endsAtBoundary } from '../text/boundaries.ts'
import type { CompiledRules, RuleMatcher } from './compile-rules.ts'
import { findKeyBlock } from './key-blocks.ts'
import { findKubernetesSecret } from './kubernetes-secrets.ts'
import { findNamedValues, type NameHits } from './named-values.ts'
import { looksRandom, shannonEntropy } from '../text/randomness.ts'
import type { SecretSpan } from '../text/span.ts'
import { findUrlCredentials } from './url-credentials.ts'

const checkEvery = 256

/** `checkTime` is called regularly and may throw. */
export function findInText(
  text: string,
  { automaton, keywords }: CompiledRules,
  checkTime: () => void = () => {},
): SecretSpan[] {
  if (text.length < 4) return []
  const hits = automaton.scan(text)
  const spans: SecretSpan[] = []
  const names = emptyNameHits(hits.count)
  const triedTo = new Map<RuleMatcher, number>()
  let readTo = 0
  /** End of the last very long token: matching again from inside it would take quadratic time. */
  let longTo = 0
  let blockTo = 0
  let documentTo = 0
  for (let i = 0; i < hits.count; i++) {
    if (i % checkEvery === checkEvery - 1) checkTime()
    const index = hits.keyword[i]!
    const keyword = keywords[index]!
    const end = hits.end[i]!
    const start = end - keyword.length
    if (keyword.values.length > 0) {
      names.keyword[names.count] = index
      names.end[names.count++] = end
    }
    if (start >= longTo) {
      for (const matcher of keyword.prefixes) {
        const tokenEnd = matchPrefix(text, matcher, start)
        if (tokenEnd === undefined) continue
        spans.push({ rule: matcher.rule, start, end: tokenEnd })
        if (tokenEnd - start >= nearBound) longTo = tokenEnd
      }
    }
    for (const matcher of keyword.shapes) {
      const found = matchShape(text, matcher, start, end, triedTo)
      if (found !== undefined) spans.push(found)
    }
    if (keyword.opens === undefined) continue
    if (keyword.opens === 'assignment') {
      if (start < readTo) continue
      const found = findAssigned(text, start, end)
      readTo = found.readTo
      for (const span of found.spans) spans.push(span)
    } else if (keyword.opens === 'url') {
      const found = findUrlCredentials(text, end)
      if (found !== undefined) spans.push(found)
    } else if (keyword.opens === 'kubernetes') {
      if (start < documentTo) continue
      const found = findKubernetesSecret(text, start, end)
      spans.push(...found.spans)
      documentTo = found.readTo
    } else if (start >= blockTo) {
      const found = findKeyBlock(text, start, end, blockTo)
      if (found !== undefined) spans.push(found)
      blockTo = found?.end ?? end
    }
  }
  checkTime()
  spans.push(...findNamedValues(text, names, keywords))
  return spans
}

let nameBuffers: Pick<NameHits, 'keyword' | 'end'> = { keyword: new Int32Array(0), end: new Int32Array(0) }

function emptyNameHits(maxCount: number): NameHits {
  if (nameBuffers.end.length < maxCount) {
    nameBuffers = { keyword: new Int32Array(maxCount * 2), end: new Int32Array(maxCount * 2) }
  }
  return { count: 0, ...nameBuffers }
}

function matchPrefix(text: string, matcher: RuleMatcher, start: number): number | undefined {
  const { pattern, distinct } = matcher
  if (!distinct && !startsAtBoundary(text, start)) return undefined
  const regex = pattern()
  regex.lastIndex = start
  if (!regex.test(text)) return undefined
  const matched = regex.lastIndex
  if (!isReal(text.slice(start, Math.min(matched, start + maxJudgedLength)), matcher)) return undefined
  const end = endOfToken(text, start, matched)
  return endsAtBoundary(text, end) ? end : undefined
}

/** A token is judged by its prefix. */
const maxJudgedLength = 160
/** Patterns have an upper bound; a match this long is extended to the end of the token. */
const nearBound = 200

function endOfToken(text: string, start: number, end: number): number {
  let at = end
  if (end - start >= nearBound) while (/[\w-]/.test(text[at] ?? '')) at++
  return at
}

/**
 * Tries the pattern at every offset before the keyword where it may start. `triedTo` prevents trying an offset twice
 * when keywords are close together.
 */
function matchShape(
  text: string,
  matcher: RuleMatcher,
  keywordStart: number,
  keywordEnd: number,
  triedTo: Map<RuleMatcher, number>,
): SecretSpan | undefined {
  const regex = matcher.pattern()
  let at = Math.max(0, keywordStart - matcher.before)
  if (matcher.before > 0) {
    at = Math.max(at, triedTo.get(matcher) ?? 0)
    triedTo.set(matcher, keywordStart + 1)
  }
  for (; at <= keywordStart; at++) {
    regex.lastIndex = at
    const match = regex.exec(text)
    if (match !== null && at + match[0].length >= keywordEnd) return secretOf(text, match, matcher)
  }
  return undefined
}

function secretOf(text: string, match: RegExpExecArray, matcher: RuleMatcher): SecretSpan | undefined {
  const [start, end] = match.indices?.groups?.secret ?? [match.index, match.index + match[0].length]
  // If only part of the match is secret, the pattern itself defines what precedes it.
  if (start === match.index && !startsAtBoundary(text, start)) return undefined
  return isReal(text.slice(start, end), matcher) ? { rule: matcher.rule, start, end } : undefined
}

/** Excludes examples from documentation: `ghp_xxxxxxxxxxxx`, `sk_live_your_key_here`. */
function isReal(secret: string, { entropy, random }: RuleMatcher): boolean {
  if (shannonEntropy(secret) < Math.max(entropy, 1.5) || isPlaceholder(secret)) return false
  return !random || looksRandom(secret)
}
