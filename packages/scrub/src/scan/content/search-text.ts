/** Finds the secrets to report in one text, without allowed ones and duplicates. */

import { partitionPoint } from '@contextd/shared/text/partition-point'
import { findInText } from '../../find/find-in-text.ts'
import { viewsOf } from '../../decode/views.ts'
import { allowancesIn, type FindAllowance } from '../../gitleaks/allowance.ts'
import { applyRules, withoutGenericTwins } from '../../gitleaks/apply-rules.ts'
import type { CheckTime } from '../../gitleaks/re2.ts'
import { shannonEntropy } from '../../text/randomness.ts'
import { isGeneral, mergeSpans, type SecretSpan, spanCoverage } from '../../text/span.ts'
import type { ScanRules } from '../rules/scan-rules.ts'

export interface Search {
  readonly rules: ScanRules
  /** Relative to the root, with `/`. */
  readonly path: string
  readonly commit?: string
  /** Whether to detect encoded secrets. */
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

/** Decoded text may itself contain encoded text. */
const maxDecodeDepth = 5

export function searchText(text: string, search: Search): SearchResult {
  const found = findReadings(text, search, search.decode ? maxDecodeDepth : 0)
  if (found.length === 0) return { findings: [], allowed: [], hidden: [] }
  // Allowlists were applied to the decoded text; comments are in the original text.
  const commentAllowance = allowancesIn({ text, path: search.path, allowlists: [] })
  const judged = found
    .filter((one) => !isToken(text.slice(one.start, one.end)))
    .map((one): Judged =>
      one.verdict === 'reported' && isAllowed(commentAllowance(withoutLine(one))) ? allow(one) : one,
    )
  const findings = resolveOverlaps(judged)
  const isReported = spanCoverage(findings)
  const allowed = judged.filter((one) => one.verdict === 'allowed' && !isReported(one))
  return { findings, allowed: mergeSpans(allowed), hidden: mergeSpans(found) }
}

interface Judged extends MatchedSecret {
  readonly isUserRule: boolean
  readonly verdict: 'reported' | 'allowed' | 'disabled'
}

function allow(found: Judged): Judged {
  return { ...found, verdict: 'allowed' }
}

function findReadings(text: string, search: Search, depth: number): Judged[] {
  const plain = findInReading(text, search)
  if (depth === 0) return plain
  const isRepeated = repetitionTest(plain)
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

/** If another reading extends a finding by less than this, the extra text is not part of the secret. */
const minExtraLength = 8

/**
 * Returns a test whether a finding of another reading repeats one of the plain text. Readings that join lines may
 * include the start of the next line, and a finding must not depend on its neighbours.
 */
function repetitionTest(plain: readonly SecretSpan[]): (rule: string, start: number, end: number) => boolean {
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
    return end - start - overlap < minExtraLength
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
    judged.push({ ...found, isUserRule: false, verdict: judgeBuiltin(text, found, rules, path, allowance) })
  }
  for (const finding of applyRules(text, rules.own, { path, ...(checkTime && { checkTime }) })) {
    const { rule, start, end, matchStart, matchEnd } = finding
    const allowed = isAllowed(allowance(finding, rules.own.byId.get(rule)?.allowlists))
    const verdict = allowed ? 'allowed' : 'reported'
    judged.push({ rule, start, end, matchStart, matchEnd, isUserRule: true, verdict })
  }
  return judged
}

function judgeBuiltin(
  text: string,
  found: MatchedSecret,
  { isEnabled, changes }: ScanRules,
  path: string,
  allowance: FindAllowance,
): Judged['verdict'] {
  if (!isEnabled(found.rule)) return 'disabled'
  const change = changes.get(found.rule)
  if (change?.path !== undefined && !change.path.test(path)) return 'disabled'
  const entropy = change?.entropy ?? 0
  if (entropy > 0 && shannonEntropy(text.slice(found.start, found.end)) <= entropy) return 'disabled'
  return isAllowed(allowance(withoutLine(found), change?.allowlists)) ? 'allowed' : 'reported'
}

/** Lines do not matter here: ignore files are applied once the line in the file is known. */
function withoutLine(found: MatchedSecret): MatchedSecret & { readonly startLine: number } {
  return { ...found, startLine: 0 }
}

function isAllowed(allowance: ReturnType<FindAllowance>): boolean {
  return allowance !== undefined
}

/** Tokens replace secrets that were already removed. */
function isToken(text: string): boolean {
  return text.includes('[SECRET_') && !/[A-Za-z0-9]/.test(text.replace(/\[SECRET_\d{1,9}\]/g, ''))
}

/**
 * Merges built-in findings that touch, and drops findings of general rules where a specific rule matches, or would if
 * it were not disabled or allowed.
 */
function resolveOverlaps(judged: readonly Judged[]): MatchedSecret[] {
  const reported = judged.filter(({ verdict }) => verdict === 'reported')
  const specific = judged.filter(({ rule }) => !isGeneral(rule))
  const isInAllowed = spanCoverage(specific.filter(({ verdict }) => verdict === 'allowed'))
  const isInDisabled = spanCoverage(specific.filter(({ verdict }) => verdict === 'disabled'))
  const isInUserFinding = spanCoverage(reported.filter(({ isUserRule }) => isUserRule))
  const builtin = reported.filter((found) => {
    if (found.isUserRule) return false
    if (!isGeneral(found.rule)) return true
    // Findings of gitleaks' general rules remain where a specific rule is disabled, as in gitleaks.
    const isDisabled = isInDisabled(found) && !found.rule.startsWith('generic-')
    return !isDisabled && !isInAllowed(found) && !isInUserFinding(found)
  })
  const merged = mergeSpans(builtin).map(({ rule, start, end }) => ({
    rule,
    start,
    end,
    matchStart: start,
    matchEnd: end,
  }))
  const userFindings = withoutRepeats(reported.filter(({ isUserRule }) => isUserRule))
  return withoutGenericTwins([...merged, ...userFindings]).sort((a, b) => a.start - b.start || a.end - b.end)
}

/** Drops what the same rule found again in another reading. */
function withoutRepeats(found: readonly Judged[]): MatchedSecret[] {
  const kept: MatchedSecret[] = []
  const endOfRule = new Map<string, number>()
  for (const { isUserRule: _, verdict: __, ...one } of [...found].sort(
    (a, b) => a.start - b.start || b.end - a.end,
  )) {
    if (one.start < (endOfRule.get(one.rule) ?? 0)) continue
    endOfRule.set(one.rule, one.end)
    kept.push(one)
  }
  return kept
}
