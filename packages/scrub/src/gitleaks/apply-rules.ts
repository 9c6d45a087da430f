/**
 * Applies user rules in the same order as gitleaks: keywords, pattern, group, entropy, required rules. Allowlists,
 * comments and ignore files are applied elsewhere.
 */

import { shannonEntropy } from '../text/randomness.ts'
import { spanCoverage } from '../text/span.ts'
import type { GitleaksRule, RequiredRule } from './gitleaks-config.ts'
import { prepareKeywords, type FindKeywords } from './keyword-hits.ts'
import { lineIndexOf, type Lines } from './lines.ts'
import type { CheckTime, PatternMatch, MatchRange } from './re2.ts'

/** Offsets count UTF-16 units; lines and columns start at 1. */
export interface RuleFinding {
  readonly rule: string
  /** The secret. */
  readonly start: number
  readonly end: number
  /** The whole match, without leading and trailing line breaks. */
  readonly matchStart: number
  readonly matchEnd: number
  /** Position of the match, not of the secret: gitleaks' fingerprints contain this line. */
  readonly startLine: number
  readonly endLine: number
  readonly startColumn: number
}

export interface PreparedRules {
  readonly byId: ReadonlyMap<string, GitleaksRule>
  readonly findKeywords: FindKeywords
}

/** Prepares rules once, to apply them to many texts. */
export function prepareRules(rules: readonly GitleaksRule[]): PreparedRules {
  return { byId: new Map(rules.map((rule) => [rule.id, rule])), findKeywords: prepareKeywords(rules) }
}

export interface ApplyOptions {
  /** Path of the file, with `/`. Without it, path conditions of rules count as met. */
  readonly path?: string
  readonly checkTime?: CheckTime
}

/** Grouped by rule, in text order within each. Findings of different rules may overlap. */
export function applyRules(
  text: string,
  { byId, findKeywords }: PreparedRules,
  { path, checkTime }: ApplyOptions = {},
): RuleFinding[] {
  const hits = findKeywords(text)
  const lines = lineIndexOf(text)
  const found = new Map<GitleaksRule, readonly RuleFinding[]>()

  const findingsOf = (rule: GitleaksRule): readonly RuleFinding[] => {
    let findings = found.get(rule)
    if (findings === undefined) {
      const regions = hits.regionsOf(rule) ?? [{ start: 0, end: text.length }]
      findings = appliesToPath(rule, path)
        ? regions.flatMap((region) => findWith(rule, text, region, lines, checkTime))
        : []
      found.set(rule, findings)
    }
    return findings
  }

  // Required rules are applied without their keywords and without their own required rules, as in gitleaks.
  const isNear = (finding: RuleFinding, required: RequiredRule): boolean => {
    const rule = byId.get(required.id)
    if (rule === undefined) return false
    // Rules for files have no position in the text.
    if (rule.regex === undefined) return appliesToPath(rule, path)
    return findingsOf(rule).some((other) => isWithinDistance(finding, other, required))
  }

  const findings: RuleFinding[] = []
  for (const rule of hits.rules) {
    checkTime?.()
    if (rule.skipReport || rule.regex === undefined) continue
    for (const finding of findingsOf(rule)) {
      checkTime?.()
      if (rule.required.every((required) => isNear(finding, required))) findings.push(finding)
    }
  }
  return findings
}

/** The rules without a regex that report this file for its path alone. */
export function rulesForFile(rules: readonly GitleaksRule[], path: string): GitleaksRule[] {
  return rules.filter((rule) => !rule.skipReport && rule.regex === undefined && rule.path?.test(path))
}

/**
 * Drops findings of generic rules that a more specific rule found too. Applied after allowlists; it makes no difference
 * where secrets are replaced.
 */
export function withoutGenericTwins<Finding extends MatchRange & { readonly rule: string }>(
  findings: readonly Finding[],
): Finding[] {
  const isGeneric = ({ rule }: Finding): boolean => rule.toLowerCase().includes('generic')
  const isWithinSpecific = spanCoverage(findings.filter((finding) => !isGeneric(finding)))
  return findings.filter((finding) => !isGeneric(finding) || !isWithinSpecific(finding))
}

function appliesToPath(rule: GitleaksRule, path: string | undefined): boolean {
  return rule.path === undefined || path === undefined || rule.path.test(path)
}

function findWith(
  rule: GitleaksRule,
  text: string,
  region: MatchRange,
  lines: Lines,
  checkTime: CheckTime | undefined,
): RuleFinding[] {
  const findings: RuleFinding[] = []
  const part = text.slice(region.start, region.end)
  for (const found of rule.regex?.matches(part, checkTime) ?? []) {
    const match = withoutLineBreaks(part, found)
    const secret = secretIn(match, found, rule.secretGroup)
    // A pattern that matches the empty string.
    if (secret.start === secret.end) continue
    if (rule.entropy !== 0 && shannonEntropy(part.slice(secret.start, secret.end)) <= rule.entropy) continue
    const matchStart = region.start + match.start
    const matchEnd = region.start + match.end
    findings.push({
      rule: rule.id,
      start: region.start + secret.start,
      end: region.start + secret.end,
      matchStart,
      matchEnd,
      startLine: lines.lineAt(matchStart),
      endLine: lines.lineAt(matchEnd),
      startColumn: lines.columnAt(matchStart),
    })
  }
  return findings
}

/** gitleaks removes leading line breaks but keeps the old length, which cuts off the end; here both ends are right. */
function withoutLineBreaks(text: string, { start, end }: MatchRange): MatchRange {
  while (start < end && text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return { start, end }
}

/**
 * The requested group, or else the first that is not empty, or else the whole match. gitleaks matches the text of the
 * match again to get the groups, which changes the meaning of `\b` and `$`; and it reports nothing if the requested
 * group is empty, where this falls back rather than miss a secret.
 */
function secretIn(match: MatchRange, { groups }: PatternMatch, secretGroup: number): MatchRange {
  const requested = groups[secretGroup - 1]
  for (const group of requested === undefined ? groups : [requested, ...groups]) {
    const start = Math.max(group.start, match.start)
    const end = Math.min(group.end, match.end)
    if (start < end) return { start, end }
  }
  return match
}

/**
 * Columns restart on each line, so a column distance alone applies within one line, while gitleaks also compares
 * columns of lines far apart. Combined with a line distance it is a rectangle.
 */
function isWithinDistance(finding: RuleFinding, other: RuleFinding, required: RequiredRule): boolean {
  const { withinLines, withinColumns } = required
  const linesApart = Math.abs(finding.startLine - other.startLine)
  const columnsApart = Math.abs(finding.startColumn - other.startColumn)
  if (linesApart > (withinLines ?? (withinColumns === undefined ? Infinity : 0))) return false
  return columnsApart <= (withinColumns ?? Infinity)
}
