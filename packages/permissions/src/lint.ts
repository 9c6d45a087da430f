/** Runs every rule over what was read of the clients. Pure. */

import { isVariable } from './files/client-files.ts'
import type { LintFinding, FindingDetails, LintRule } from './findings/finding.ts'
import { masked, type SecretsIn } from './findings/masked.ts'
import type { Setups } from './read-setups.ts'
import { claudeCodeRules } from './claude-code/lint/rules.ts'
import { openCodeRules } from './opencode/lint/rules.ts'

export interface LintProgress {
  readonly done: number
  readonly total: number
  /** The rule that comes next. */
  readonly now: string
}

export function lint(
  { claudeCode, openCode }: Setups,
  onProgress: (progress: LintProgress) => void = () => {},
): LintFinding[] {
  const runs = [
    ...(claudeCode === undefined ? [] : claudeCodeRules.map((rule) => toRun(rule, claudeCode))),
    ...(openCode === undefined ? [] : openCodeRules.map((rule) => toRun(rule, openCode))),
  ]
  const found = runs.flatMap(({ id, check }, done) => {
    onProgress({ done, total: runs.length, now: id })
    return check()
  })
  const secretsIn = (claudeCode ?? openCode)?.secretsIn
  return (secretsIn === undefined ? found : withoutSecrets(found, secretsIn)).sort(byPlace)
}

interface Run {
  readonly id: string
  check(): LintFinding[]
}

function toRun<Setup>(rule: LintRule<Setup>, setup: Setup): Run {
  const { id, severity } = rule
  const check = (): LintFinding[] =>
    Array.from(rule.check(setup), (found) => ({ severity, ...forPeople(found), rule: id }))
  return { id, check }
}

/** Nobody but the user can change what their environment says. */
function forPeople(found: FindingDetails): FindingDetails {
  if (!isVariable(found.file)) return found
  const { repairs: _, ...rest } = found
  return rest
}

function withoutSecrets(findings: LintFinding[], secretsIn: SecretsIn): LintFinding[] {
  const texts = new Set(findings.flatMap(({ message, fix }) => [message, fix]))
  // Looking once at all of them costs a fraction, and most setups have none.
  if (secretsIn([...texts].join('\n\n')).length === 0) return findings
  return findings.map((finding) => ({
    ...finding,
    message: masked(finding.message, secretsIn),
    fix: masked(finding.fix, secretsIn),
  }))
}

function byPlace(one: LintFinding, other: LintFinding): number {
  return (
    compare(one.file, other.file) ||
    one.line - other.line ||
    one.column - other.column ||
    compare(one.rule, other.rule) ||
    compare(one.message, other.message)
  )
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}
