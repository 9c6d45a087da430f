/** Which calls of the question's tool a rule matches. */

import type { Case } from './case.ts'
import { rulesAllowingFile, matchesAnyName, isAllWithin } from './in-force/file-rules.ts'
import { matchesArgument, namesTool } from './rule-match.ts'
import { ruleEffect } from '../rules/rule.ts'
import type { RuleInForce } from './in-force/rules-in-force.ts'
import { matchesCommand } from './shell-case.ts'
import { namesInRules } from './skills.ts'

/** `tool`: every call of the tool; `call`: this call; `some`: some calls, for questions without an argument. */
export type RuleReach = 'tool' | 'call' | 'some'

/** Whether an ignored rule would have matched the call, or was meant to. */
export function mightMatch(one: Case, inForce: RuleInForce): boolean {
  const { tool, argument, setup, kind, names } = one
  const { entry, rule } = inForce
  if (!namesTool(rule, 'deny', tool) && !isEditRuleForWriter(one, rule)) return false
  if (rule.content === undefined || argument === undefined || !ruleEffect(entry).works) return true
  if (kind === 'shell') return matchesCommand(one, argument, { entry, rule })
  if (names !== undefined) return matchesAnyName(inForce, names.all, setup)
  return matchesArgument(rule.content, entry, tool.name, argument, setup)
}

/** Edit rules with a path apply to every tool that writes files. */
function isEditRuleForWriter({ kind }: Case, { tool, content }: RuleInForce['rule']): boolean {
  return kind === 'write' && tool === 'Edit' && content !== undefined
}

export function ruleReach(one: Case): (rule: RuleInForce) => RuleReach | undefined {
  const allowing = new Set(allowingRules(one))
  return (rule) => reachOf(one, rule, allowing)
}

/** Allow rules for files are evaluated together: every name of the file must be covered. */
function allowingRules(one: Case): RuleInForce[] {
  if (one.names === undefined) return []
  const rules = one.rules.filter(
    ({ entry, rule, ignored }) =>
      ignored === undefined &&
      entry.list === 'allow' &&
      rule.content !== undefined &&
      (namesTool(rule, 'allow', one.tool) || isEditRuleForWriter(one, rule)),
  )
  return rulesAllowingFile(rules, one.names.all, one.setup)
}

function reachOf(one: Case, inForce: RuleInForce, allowing: ReadonlySet<RuleInForce>): RuleReach | undefined {
  const { entry, rule, skill } = inForce
  const isUnreadable = one.kind === 'write' && rule.tool === 'Read' && entry.list === 'deny'
  // As a flag, the bare name denies only the tool Read itself.
  if (isUnreadable && rule.content === undefined) return entry.level === 'cli' ? undefined : 'call'
  const isDirect = namesTool(rule, entry.list, one.tool)
  const { name, prefix } = one.tool
  // The question is about all tools of a server.
  if (!isDirect && name === prefix && rule.tool.startsWith(`${prefix}__`))
    return rule.tool === `${prefix}__*` ? 'tool' : 'some'
  if (isDirect && (rule.content === undefined || rule.content === '')) {
    // Built-in tools that a skill denies are still listed for the model.
    if (entry.list === 'deny' && skill !== undefined && !one.isMcp) return 'call'
    return entry.list === 'allow' && rule.hasParentheses && isOutsideProject(one) ? undefined : 'tool'
  }
  // Monitor runs shell commands in the background.
  if (
    one.tool.name === 'Monitor' &&
    entry.list === 'deny' &&
    rule.tool === 'Bash' &&
    rule.content === undefined
  )
    return 'tool'
  if (!isDirect && !isUnreadable && !isEditRuleForWriter(one, rule)) return undefined
  if (one.argument === undefined) return 'some'
  // Shell commands are evaluated part by part.
  if (one.kind === 'shell') return undefined
  return matchesCall(one, inForce, one.argument, allowing) ? 'call' : undefined
}

function matchesCall(
  { names, setup, tool, kind, skill }: Case,
  inForce: RuleInForce,
  argument: string,
  allowing: ReadonlySet<RuleInForce>,
): boolean {
  const { entry, rule } = inForce
  if (names !== undefined)
    return entry.list === 'allow' ? allowing.has(inForce) : matchesAnyName(inForce, names.all, setup)
  const called = kind === 'skill' ? namesInRules(skill, argument, entry.list) : [argument]
  return called.some((name) => matchesArgument(rule.content!, entry, tool.name, name, setup))
}

/** `Read(*)` and `Write(*)` only allow files in the project, unlike the bare names. */
function isOutsideProject({ names, setup }: Case): boolean {
  return names !== undefined && !isAllWithin([setup.project], names.all)
}
