/**
 * Finds what a person's own rules find, in the order in which gitleaks looks: keywords, pattern, group, entropy, required
 * rules. What takes findings back (allowlists, comments, ignore files) is not looked at here.
 */

import { shannonEntropy } from '../text/randomness.ts'
import { spanCoverage } from '../text/span.ts'
import type { GitleaksRule, RequiredRule } from './gitleaks-config.ts'
import { prepareKeywords, type FindKeywords } from './keyword-hits.ts'
import { lineIndexOf, type Lines } from './lines.ts'
import type { CheckTime, PatternMatch, MatchRange } from './re2.ts'

/** Offsets are UTF-16 units, lines and columns count from 1. */
export interface RuleFinding {
  readonly rule: string
  /** The secret. */
  readonly start: number
  readonly end: number
  /** All that the pattern matched, without line breaks at its ends. */
  readonly matchStart: number
  readonly matchEnd: number
  /** Where the match, not the secret, begins and ends: gitleaks' fingerprints name this line. */
  readonly startLine: number
  readonly endLine: number
  readonly startColumn: number
}

export interface PreparedRules {
  readonly byId: ReadonlyMap<string, GitleaksRule>
  readonly findKeywords: FindKeywords
}

/** Once for many texts. */
export function prepareRules(rules: readonly GitleaksRule[]): PreparedRules {
  return { byId: new Map(rules.map((rule) => [rule.id, rule])), findKeywords: prepareKeywords(rules) }
}

export interface ApplyOptions {
  /** Of the file the text is from, with `/`. Without one, the path a rule asks for counts as given. */
  readonly path?: string
  readonly checkTime?: CheckTime
}

/** Rule by rule, in each from left to right. Findings of different rules may overlap. */
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
      findings = isInPlace(rule, path)
        ? regions.flatMap((region) => findWith(rule, text, region, lines, checkTime))
        : []
      found.set(rule, findings)
    }
    return findings
  }

  // A required rule is looked for without its keywords and without what it requires itself, as in gitleaks.
  const isNear = (finding: RuleFinding, required: RequiredRule): boolean => {
    const rule = byId.get(required.id)
    if (rule === undefined) return false
    // A rule for files has no place in the text that could be near or far.
    if (rule.regex === undefined) return isInPlace(rule, path)
    return findingsOf(rule).some((other) => isWithin(finding, other, required))
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

/** The rules that ask for no text and report this file for its path alone. */
export function rulesForFile(rules: readonly GitleaksRule[], path: string): GitleaksRule[] {
  return rules.filter((rule) => !rule.skipReport && rule.regex === undefined && rule.path?.test(path))
}

/**
 * Without the findings of generic rules that another rule has found too, by a better name. For what is left after
 * allowlists; where secrets are replaced it makes no difference.
 */
export function withoutGenericTwins<Finding extends MatchRange & { readonly rule: string }>(
  findings: readonly Finding[],
): Finding[] {
  const isGeneric = ({ rule }: Finding): boolean => rule.toLowerCase().includes('generic')
  const isFoundByName = spanCoverage(findings.filter((finding) => !isGeneric(finding)))
  return findings.filter((finding) => !isGeneric(finding) || !isFoundByName(finding))
}

function isInPlace(rule: GitleaksRule, path: string | undefined): boolean {
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
    // Nothing stands there: a pattern that also matches nothing.
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

/** gitleaks shortens the match in front but counts from where it was, which cuts off its end; here both ends are right. */
function withoutLineBreaks(text: string, { start, end }: MatchRange): MatchRange {
  while (start < end && text[start] === '\n') start++
  while (end > start && text[end - 1] === '\n') end--
  return { start, end }
}

/**
 * The group that is asked for, else the first that holds something, else the whole match. gitleaks matches the text of
 * the match once more to get at the groups, where `\b` and `$` mean something else than in their place; and it reports
 * nothing where the group that is asked for is empty, where here the next best is taken rather than leaving a secret.
 */
function secretIn(match: MatchRange, { groups }: PatternMatch, secretGroup: number): MatchRange {
  const asked = groups[secretGroup - 1]
  for (const group of asked === undefined ? groups : [asked, ...groups]) {
    const start = Math.max(group.start, match.start)
    const end = Math.min(group.end, match.end)
    if (start < end) return { start, end }
  }
  return match
}

/**
 * Columns start anew in each line. So a distance in columns alone is meant within one line, where gitleaks also takes
 * the same columns of lines far apart; together with one in lines it is a rectangle.
 */
function isWithin(finding: RuleFinding, other: RuleFinding, required: RequiredRule): boolean {
  const { withinLines, withinColumns } = required
  const linesApart = Math.abs(finding.startLine - other.startLine)
  const columnsApart = Math.abs(finding.startColumn - other.startColumn)
  if (linesApart > (withinLines ?? (withinColumns === undefined ? Infinity : 0))) return false
  return columnsApart <= (withinColumns ?? Infinity)
}
