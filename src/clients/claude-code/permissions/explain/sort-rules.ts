/** What the rules say of one question: which are about it, which are left aside, which only look as if they were. */

import type { Case } from './case.ts'
import type { Candidate, Ground } from './explanation.ts'
import { missedBy } from './near-rules.ts'
import { isWithin } from '../rules/path-rule.ts'
import { meansArgument, namesTool } from './rule-match.ts'
import { groundOf, type RuleInForce } from './rules-in-force.ts'
import type { RuleOnPart, ShellVerdict } from './shell/shell-verdict.ts'
import { namesInRules } from './skills.ts'

/** While planning, nothing that runs whole programs is allowed by a rule. */
const interpreters =
  /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|lua|bash|sh|zsh|fish|npx|bunx|sudo|ssh|eval|exec|env|xargs)\b/

export function inPlan(one: Case, rules: readonly RuleInForce[]): readonly RuleInForce[] {
  return one.mode.mode === 'plan' ? rules.filter((rule) => !isTooWideForPlan(rule)) : rules
}

function isTooWideForPlan({ entry, rule }: RuleInForce): boolean {
  if (entry.list !== 'allow' || rule.tool !== 'Bash') return false
  return rule.content === undefined || (rule.content.includes('*') && interpreters.test(rule.content))
}

type Reach = 'whole' | 'some' | 'verbatim'
export type Sorted = Record<'deny' | 'ask' | 'allow', Record<Reach, Candidate[]>> & {
  ignored: Ground[]
  partial: Ground[]
}

const newReaches = (): Record<Reach, Candidate[]> => ({ whole: [], some: [], verbatim: [] })

export function sortRules(one: Case, shell: ShellVerdict | undefined): Sorted {
  const sorted: Sorted = {
    deny: newReaches(),
    ask: newReaches(),
    allow: newReaches(),
    ignored: [],
    partial: [],
  }
  for (const rule of one.rules) {
    const { entry, ignored } = rule
    const isTooWide = one.mode.mode === 'plan' && one.kind === 'shell' && isTooWideForPlan(rule)
    if (ignored !== undefined || isTooWide) {
      const why = ignored ?? 'While planning, the client leaves aside rules that allow as much as this one.'
      if (mightMean(one, rule)) sorted.ignored.push({ ...groundOf(rule), why })
      else addMissed(sorted, one, rule)
      continue
    }
    const reach = reachOf(one, rule)
    if (reach === 'other')
      sorted.partial.push({ ...groundOf(rule), why: `${verbs[entry.list]} some calls of it.` })
    else if (reach !== undefined)
      sorted[entry.list][reach].push({
        ground: groundOf(rule),
        says:
          reach === 'whole'
            ? `${verbs[entry.list]} every call of it`
            : `${verbs[entry.list]} this call of it`,
      })
    else addMissed(sorted, one, rule)
  }
  if (shell !== undefined) addShell(sorted, shell)
  return sorted
}

function addMissed(sorted: Sorted, one: Case, rule: RuleInForce): void {
  const why = missedBy(one, rule)
  if (why !== undefined) sorted.ignored.push({ ...groundOf(rule), why })
}

const verbs = { allow: 'Allows', ask: 'Asks about', deny: 'Denies' } as const

/** Of one that is left aside: whether it would have been about the tool. */
function mightMean(one: Case, { entry, rule }: RuleInForce): boolean {
  if (!namesTool(rule, 'deny', one.tool) && !governs(one, rule)) return false
  const isAboutPath = one.kind === 'read' || one.kind === 'write'
  if (rule.content === undefined || one.argument === undefined || !isAboutPath) return true
  return meansArgument(rule.content, entry, one.tool.name, one.argument, one.setup)
}

/** Rules of other tools: the paths of Edit are those of all that write, and what must not be read cannot be written. */
function governs({ kind }: Case, { tool, content }: RuleInForce['rule']): boolean {
  return kind === 'write' && tool === 'Edit' && content !== undefined
}

function reachOf(one: Case, { entry, rule, skill }: RuleInForce): 'whole' | 'some' | 'other' | undefined {
  const isUnreadable = one.kind === 'write' && rule.tool === 'Read' && entry.list === 'deny'
  // The bare name as a flag takes away the tool, and nothing else.
  if (isUnreadable && rule.content === undefined) return entry.level === 'cli' ? undefined : 'some'
  const isDirect = namesTool(rule, entry.list, one.tool)
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
  const names = one.kind === 'skill' ? namesInRules(one.skill, one.argument, entry.list) : [one.argument]
  const isMeant = names.some((name) => meansArgument(rule.content!, entry, one.tool.name, name, one.setup))
  return isMeant ? 'some' : undefined
}

/** `Read(*)` and `Write(*)` allow what is in the project, other than the bare names. */
function isOutside({ kind, argument, setup }: Case): boolean {
  const isPath = kind === 'read' || kind === 'write'
  return isPath && argument !== undefined && !isWithin(setup.project, argument)
}

function addShell(sorted: Sorted, shell: ShellVerdict): void {
  const part = (list: 'deny' | 'ask' | 'allow', { rule, part: text }: RuleOnPart): Candidate => ({
    ground: groundOf(rule),
    says: `${verbs[list]} \`${text}\``,
  })
  sorted.deny.some.push(...shell.denied.map((one) => part('deny', one)))
  sorted.ask.some.push(...shell.asked.map((one) => part('ask', one)))
  if (shell.verbatim !== undefined) sorted.allow.verbatim.push(part('allow', shell.verbatim))
  const allowed = shell.allowed.filter(({ rule }) => rule !== shell.verbatim?.rule)
  if (shell.open.length === 0) sorted.allow.some.push(...allowed.map((one) => part('allow', one)))
  else {
    const why = `Allows a part of the command, but nothing allows \`${shell.open[0]}\`.`
    for (const { rule } of allowed) sorted.ignored.push({ ...groundOf(rule), why })
  }
}
