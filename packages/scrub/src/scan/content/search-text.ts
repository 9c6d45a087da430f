/** Finds the secrets to report in one text: allowed ones are left out, and duplicates reported once. */

import { partitionPoint } from '@contextd/shared/text/partition-point'
import { findInText } from '../../find/find-in-text.ts'
import { viewsOf } from '../../decode/views.ts'
import { allowancesIn, type FindAllowance } from '../../gitleaks/allowance.ts'
import { applyRules, withoutGenericTwins } from '../../gitleaks/apply-rules.ts'
import type { CheckTime } from '../../gitleaks/re2.ts'
import { shannonEntropy } from '../../text/randomness.ts'
import { isGeneral, mergeSpans, spanCoverage, type SecretSpan } from '../../text/span.ts'
import type { ScanRules } from '../rules/scan-rules.ts'

export interface Search {
  readonly rules: ScanRules
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly commit?: string
  /** Whether encoded secrets are searched for. */
  readonly decode: boolean
  readonly checkTime?: CheckTime
}

export interface MatchedSecret extends SecretSpan {
  /** The whole match of the rule's pattern. */
  readonly matchStart: number
  readonly matchEnd: number
}

export interface SearchResult {
  /** In text order. Findings of several rules may overlap. */
  readonly findings: readonly MatchedSecret[]
  /** Findings suppressed by an allowlist or a comment. */
  readonly allowed: readonly SecretSpan[]
  /** Everything that must not be shown, reported or not. */
  readonly hidden: readonly SecretSpan[]
}

/** Decoded text may be encoded again. */
const decodeDepth = 5

export function searchText(text: string, search: Search): SearchResult {
  const found = findReadings(text, search, search.decode ? decodeDepth : 0)
  if (found.length === 0) return { findings: [], allowed: [], hidden: [] }
  // Allowlists apply to the decoded text; comments are in the original text.
  const allowanceHere = allowancesIn({ text, path: search.path, allowlists: [] })
  const judged = found
    .filter((one) => !isToken(text.slice(one.start, one.end)))
    .map((one): Judged =>
      one.verdict === 'counts' && isAllowed(allowanceHere(place(one))) ? allow(one) : one,
    )
  const findings = named(judged)
  const isReported = spanCoverage(findings)
  const allowed = judged.filter((one) => one.verdict === 'allowed' && !isReported(one))
  return { findings, allowed: mergeSpans(allowed), hidden: mergeSpans(found) }
}

interface Judged extends MatchedSecret {
  readonly own: boolean
  readonly verdict: 'counts' | 'allowed' | 'off'
}

function allow(found: Judged): Judged {
  return { ...found, verdict: 'allowed' }
}

function findReadings(text: string, search: Search, depth: number): Judged[] {
  const plain = findInReading(text, search)
  if (depth === 0) return plain
  const isRepeated = repetitionOf(plain)
  const found = [...plain]
  for (const view of viewsOf(text)) {
    for (const one of findReadings(view.text, search, depth - 1)) {
      const { start, end } = view.locate(one.start, one.end)
      if (isRepeated(one.rule, start, end)) continue
      const match = view.locate(one.matchStart, one.matchEnd)
      found.push({ ...one, start, end, matchStart: match.start, matchEnd: match.end })
    }
  }
  return found
}

/** An extension of a finding shorter than this, from another reading, is not part of a secret. */
const minMore = 8

/**
 * Whether a finding of another reading repeats one of the plain text. Readings that join lines may add a little of the
 * next line, and a finding must not depend on its neighbours.
 */
function repetitionOf(plain: readonly SecretSpan[]): (rule: string, start: number, end: number) => boolean {
  const byRule = new Map<string, SecretSpan[]>()
  for (const span of plain) {
    const same = byRule.get(span.rule)
    if (same === undefined) byRule.set(span.rule, [span])
    else same.push(span)
  }
  for (const spans of byRule.values()) spans.sort((a, b) => a.start - b.start)
  return (rule, start, end) => {
    const spans = byRule.get(rule) ?? []
    const known = spans[partitionPoint(spans.length, (at) => spans[at]!.end <= start)]
    if (known === undefined || known.start >= end) return false
    const overlap = Math.min(end, known.end) - Math.max(start, known.start)
    return end - start - overlap < minMore
  }
}

function findInReading(text: string, { rules, path, commit, checkTime }: Search): Judged[] {
  const allowance = allowancesIn({
    text,
    path,
    allowlists: rules.allowlists,
    ...(commit !== undefined && { commit }),
    ...(checkTime && { checkTime }),
  })
  const judged: Judged[] = []
  for (const { rule, start, end } of findInText(text, rules.builtin, checkTime)) {
    const found = { rule, start, end, matchStart: start, matchEnd: end }
    judged.push({ ...found, own: false, verdict: judgeOurs(text, found, rules, path, allowance) })
  }
  for (const finding of applyRules(text, rules.own, { path, ...(checkTime && { checkTime }) })) {
    const { rule, start, end, matchStart, matchEnd } = finding
    const allowed = isAllowed(allowance(finding, rules.own.byId.get(rule)?.allowlists))
    const verdict = allowed ? 'allowed' : 'counts'
    judged.push({ rule, start, end, matchStart, matchEnd, own: true, verdict })
  }
  return judged
}

function judgeOurs(
  text: string,
  found: MatchedSecret,
  { counts, changes }: ScanRules,
  path: string,
  allowance: FindAllowance,
): Judged['verdict'] {
  if (!counts(found.rule)) return 'off'
  const change = changes.get(found.rule)
  if (change?.path !== undefined && !change.path.test(path)) return 'off'
  const entropy = change?.entropy ?? 0
  if (entropy > 0 && shannonEntropy(text.slice(found.start, found.end)) <= entropy) return 'off'
  return isAllowed(allowance(place(found), change?.allowlists)) ? 'allowed' : 'counts'
}

/** Lines do not matter here: ignore files are applied when the line in the file is known. */
function place(found: MatchedSecret): MatchedSecret & { readonly startLine: number } {
  return { ...found, startLine: 0 }
}

function isAllowed(allowance: ReturnType<FindAllowance>): boolean {
  return allowance !== undefined
}

/** A token represents a secret that was already removed. */
function isToken(text: string): boolean {
  return text.includes('[SECRET_') && !/[A-Za-z0-9]/.test(text.replace(/\[SECRET_\d{1,9}\]/g, ''))
}

/** Merges our findings where they touch, and drops general rules where a specific one matches or matched. */
function named(judged: readonly Judged[]): MatchedSecret[] {
  const counting = judged.filter(({ verdict }) => verdict === 'counts')
  const specific = judged.filter(({ rule }) => !isGeneral(rule))
  const isAllowedThere = spanCoverage(specific.filter(({ verdict }) => verdict === 'allowed'))
  const isOffThere = spanCoverage(specific.filter(({ verdict }) => verdict === 'off'))
  const isTheirs = spanCoverage(counting.filter(({ own }) => own))
  const ours = counting.filter((found) => {
    if (found.own) return false
    if (!isGeneral(found.rule)) return true
    // A disabled kind still has the names of gitleaks' general rules, as in gitleaks.
    const isOff = isOffThere(found) && !found.rule.startsWith('generic-')
    return !isOff && !isAllowedThere(found) && !isTheirs(found)
  })
  const merged = mergeSpans(ours).map(({ rule, start, end }) => ({
    rule,
    start,
    end,
    matchStart: start,
    matchEnd: end,
  }))
  const theirs = once(counting.filter(({ own }) => own))
  return withoutGenericTwins([...merged, ...theirs]).sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Drops duplicates that a rule found in several readings of the same position. */
function once(found: readonly Judged[]): MatchedSecret[] {
  const kept: MatchedSecret[] = []
  const reached = new Map<string, number>()
  for (const { own: _, verdict: __, ...one } of [...found].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  )) {
    if (one.start < (reached.get(one.rule) ?? 0)) continue
    reached.set(one.rule, one.end)
    kept.push(one)
  }
  return kept
}
