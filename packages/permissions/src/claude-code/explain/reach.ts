/** How much of a question a rule is about. */

import type { Case } from './case.ts'
import { allowingFile, closesFile, isAllWithin } from './in-force/file-rules.ts'
import { meansArgument, namesTool } from './rule-match.ts'
import { ruleEffect } from '../rules/rule.ts'
import type { RuleInForce } from './in-force/rules-in-force.ts'
import { meansCommand } from './shell-case.ts'
import { namesInRules } from './skills.ts'

/** `whole`: every call of the tool; `some`: this call; `other`: calls of it, when none in particular is asked about. */
export type RuleReach = 'whole' | 'some' | 'other'

/** Of one that is left aside: whether it would have been about the call, or was meant to be. */
export function mightMean(one: Case, inForce: RuleInForce): boolean {
  const { tool, argument, setup, kind, names } = one
  const { entry, rule } = inForce
  if (!namesTool(rule, 'deny', tool) && !governs(one, rule)) return false
  if (rule.content === undefined || argument === undefined || !ruleEffect(entry).works) return true
  if (kind === 'shell') return meansCommand(one, argument, { entry, rule })
  if (names !== undefined) return closesFile(inForce, names.all, setup)
  return meansArgument(rule.content, entry, tool.name, argument, setup)
}

/** Rules of other tools: the paths of Edit are those of all that write, and what must not be read cannot be written. */
function governs({ kind }: Case, { tool, content }: RuleInForce['rule']): boolean {
  return kind === 'write' && tool === 'Edit' && content !== undefined
}

export function ruleReach(one: Case): (rule: RuleInForce) => RuleReach | undefined {
  const allowing = new Set(allowingRules(one))
  return (rule) => reachOf(one, rule, allowing)
}

/** Those about files count only together: each name of the file must be allowed. */
function allowingRules(one: Case): RuleInForce[] {
  if (one.names === undefined) return []
  const rules = one.rules.filter(
    ({ entry, rule, ignored }) =>
      ignored === undefined &&
      entry.list === 'allow' &&
      rule.content !== undefined &&
      (namesTool(rule, 'allow', one.tool) || governs(one, rule)),
  )
  return allowingFile(rules, one.names.all, one.setup)
}

function reachOf(one: Case, inForce: RuleInForce, allowing: ReadonlySet<RuleInForce>): RuleReach | undefined {
  const { entry, rule, skill } = inForce
  const isUnreadable = one.kind === 'write' && rule.tool === 'Read' && entry.list === 'deny'
  // The bare name as a flag takes away the tool, and nothing else.
  if (isUnreadable && rule.content === undefined) return entry.level === 'cli' ? undefined : 'some'
  const isDirect = namesTool(rule, entry.list, one.tool)
  const { name, prefix } = one.tool
  // Asked about all tools of a server.
  if (!isDirect && name === prefix && rule.tool.startsWith(`${prefix}__`))
    return rule.tool === `${prefix}__*` ? 'whole' : 'other'
  if (isDirect && (rule.content === undefined || rule.content === '')) {
    // What a skill forbids of the client's own tools is still offered.
    if (entry.list === 'deny' && skill !== undefined && !one.isMcp) return 'some'
    return entry.list === 'allow' && rule.hasParentheses && isOutside(one) ? undefined : 'whole'
  }
  // What runs in the background is a shell too.
  if (
    one.tool.name === 'Monitor' &&
    entry.list === 'deny' &&
    rule.tool === 'Bash' &&
    rule.content === undefined
  )
    return 'whole'
  if (!isDirect && !isUnreadable && !governs(one, rule)) return undefined
  if (one.argument === undefined) return 'other'
  // The commands of a shell are judged part by part.
  if (one.kind === 'shell') return undefined
  return isMeant(one, inForce, one.argument, allowing) ? 'some' : undefined
}

function isMeant(
  { names, setup, tool, kind, skill }: Case,
  inForce: RuleInForce,
  argument: string,
  allowing: ReadonlySet<RuleInForce>,
): boolean {
  const { entry, rule } = inForce
  if (names !== undefined)
    return entry.list === 'allow' ? allowing.has(inForce) : closesFile(inForce, names.all, setup)
  const called = kind === 'skill' ? namesInRules(skill, argument, entry.list) : [argument]
  return called.some((name) => meansArgument(rule.content!, entry, tool.name, name, setup))
}

/** `Read(*)` and `Write(*)` allow what is in the project, other than the bare names. */
function isOutside({ names, setup }: Case): boolean {
  return names !== undefined && !isAllWithin([setup.project], names.all)
}
