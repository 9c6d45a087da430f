/** Runs every rule on the setups of the clients. Pure. */

import { isVariable } from './files/client-files.ts'
import type { LintFinding, FindingDetails, LintRule } from './findings/finding.ts'
import { masked, type SecretsIn } from './findings/masked.ts'
import type { Setups } from './read-setups.ts'
import { claudeCodeRules } from './claude-code/lint/rules.ts'
import { openCodeRules } from './opencode/lint/rules.ts'

export interface LintProgress {
  readonly done: number
  readonly total: number
  /** The next rule. */
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
  const findings = runs.flatMap(({ id, check }, done) => {
    onProgress({ done, total: runs.length, now: id })
    return check()
  })
  const secretsIn = (claudeCode ?? openCode)?.secretsIn
  return (secretsIn === undefined ? findings : withoutSecrets(findings, secretsIn)).sort(byPlace)
}

interface Run {
  readonly id: string
  check(): LintFinding[]
}

function toRun<Setup>(rule: LintRule<Setup>, setup: Setup): Run {
  const { id, severity } = rule
  const check = (): LintFinding[] =>
    Array.from(rule.check(setup), (details) => ({ severity, ...withoutVariableRepairs(details), rule: id }))
  return { id, check }
}

/** Environment variables can only be changed by the user. */
function withoutVariableRepairs(details: FindingDetails): FindingDetails {
  if (!isVariable(details.file)) return details
  const { repairs: _, ...rest } = details
  return rest
}

function withoutSecrets(findings: LintFinding[], secretsIn: SecretsIn): LintFinding[] {
  const texts = new Set(findings.flatMap(({ message, fix }) => [message, fix]))
  // One scan of all texts is much cheaper, and most setups have no secrets.
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
