/**
 * Why a finding is suppressed. Suppression only ever unmasks secrets, so it applies to reports, and to scrubbing only
 * if the user enabled it.
 */

import type { RuleFinding } from './apply-rules.ts'
import type { Allowlist } from './gitleaks-config.ts'
import type { IgnoredFindings } from './ignore-file.ts'
import { lineIndexOf } from './lines.ts'
import type { CheckTime, Re2Pattern, MatchRange } from './re2.ts'

export type Allowance =
  /** `gitleaks:allow` on one of its lines. */
  | { readonly by: 'comment' }
  /** A line of `.gitleaksignore`. */
  | { readonly by: 'ignore-file'; readonly fingerprint: string }
  | { readonly by: 'allowlist'; readonly allowlist: Allowlist }

/** What decides about the findings of one text. */
export interface AllowContext {
  readonly text: string
  /** With `/`. */
  readonly path?: string
  readonly commit?: string
  /** Allowlists for all rules. */
  readonly allowlists: readonly Allowlist[]
  readonly ignored?: IgnoredFindings
  readonly checkTime?: CheckTime
}

export type AllowableFinding = Pick<
  RuleFinding,
  'rule' | 'start' | 'end' | 'matchStart' | 'matchEnd' | 'startLine'
>

export type FindAllowance = (
  finding: AllowableFinding,
  ruleAllowlists?: readonly Allowlist[],
) => Allowance | undefined

export function allowancesIn(context: AllowContext): FindAllowance {
  const { text, path, commit, ignored, checkTime } = context
  const lines = lineIndexOf(text)
  let last: Surroundings | undefined

  return ({ rule, start, end, matchStart, matchEnd, startLine }, ruleAllowlists = []) => {
    checkTime?.()
    const range = lines.around(matchStart, matchEnd)
    // A line may be very long and have many findings: read it once for all of them.
    if (last?.start !== range.start || last.end !== range.end) last = readSurroundings(text, range)
    if (last.isMarked) return { by: 'comment' }
    if (path !== undefined) {
      const place = { rule, path, line: startLine, ...(commit !== undefined && { commit }) }
      const fingerprint = ignored?.find(place)
      if (fingerprint !== undefined) return { by: 'ignore-file', fingerprint }
    }
    const candidate = {
      secret: text.slice(start, end),
      match: text.slice(matchStart, matchEnd),
      around: last,
    }
    const allowlists = [...context.allowlists, ...ruleAllowlists]
    const allowlist = allowlists.find((list) => allows(list, candidate, context))
    return allowlist && { by: 'allowlist', allowlist }
  }
}

/** The lines of a finding. */
interface Surroundings extends MatchRange {
  readonly text: string
  readonly isMarked: boolean
  /** Cached results of allowlists for these lines. */
  readonly results: Map<Allowlist, boolean>
}

function readSurroundings(text: string, { start, end }: MatchRange): Surroundings {
  const lines = text.slice(start, end)
  return { start, end, text: lines, isMarked: lines.includes('gitleaks:allow'), results: new Map() }
}

interface Candidate {
  readonly secret: string
  readonly match: string
  readonly around: Surroundings
}

function allows(
  list: Allowlist,
  candidate: Candidate,
  { path = '', commit, checkTime }: AllowContext,
): boolean {
  // Patterns are tried one by one. gitleaks joins those of a list into one, so that a `(?i)` at the start of the first
  // affects the others.
  const isMatched = (text: string, patterns: readonly Re2Pattern[]): boolean =>
    text !== '' && patterns.some((pattern) => pattern.test(text, checkTime))
  const isTargetMatched = (): boolean => {
    if (list.regexTarget !== 'line') return isMatched(candidate[list.regexTarget], list.regexes)
    const { text, results } = candidate.around
    if (!results.has(list)) results.set(list, isMatched(text, list.regexes))
    return results.get(list) === true
  }

  const checks: (() => boolean)[] = []
  if (list.commits.length > 0)
    checks.push(() => commit !== undefined && list.commits.includes(commit.toLowerCase()))
  if (list.paths.length > 0) checks.push(() => isMatched(path, list.paths))
  if (list.stopwords.length > 0) {
    const secret = candidate.secret.toLowerCase()
    checks.push(() => list.stopwords.some((word) => secret.includes(word)))
  }
  if (list.regexes.length > 0) checks.push(isTargetMatched)
  // Empty lists are rejected when the file is read; `every` would let one allow everything.
  if (checks.length === 0) return false
  return list.condition === 'and' ? checks.every((holds) => holds()) : checks.some((holds) => holds())
}
