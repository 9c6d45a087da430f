/** Sorts the rules for one question: those that match, those the client ignores, and near misses. */

import type { Case } from './case.ts'
import { verbs, type Ground } from '../../findings/explanation.ts'
import type { GroundCandidate } from './question.ts'
import { nearMissReason } from './near-rules.ts'
import { mightMatch, ruleReach } from './reach.ts'
import { groundOf, type RuleInForce } from './in-force/rules-in-force.ts'
import { isTooBroad } from './shell-case.ts'
import type { RuleOnPart } from './shell/shell-parts.ts'
import type { ShellVerdict } from './shell/shell-verdict.ts'

type Scope = 'tool' | 'call' | 'verbatim'
export type Sorted = Record<'deny' | 'ask' | 'allow', Record<Scope, GroundCandidate[]>> & {
  ignored: Ground[]
  partial: Ground[]
}

const emptyScopes = (): Record<Scope, GroundCandidate[]> => ({ tool: [], call: [], verbatim: [] })

export function sortRules(one: Case, shell: ShellVerdict | undefined): Sorted {
  const sorted: Sorted = {
    deny: emptyScopes(),
    ask: emptyScopes(),
    allow: emptyScopes(),
    ignored: [],
    partial: [],
  }
  const reachOf = ruleReach(one)
  for (const rule of one.rules) {
    const { entry, ignored } = rule
    if (ignored !== undefined || isTooBroad(one, rule)) {
      const why =
        ignored ?? `In the mode ${one.mode.mode} the client ignores allow rules as broad as this one.`
      if (mightMatch(one, rule)) sorted.ignored.push({ ...groundOf(rule), why })
      else addMissed(sorted, one, rule)
      continue
    }
    const reach = reachOf(rule)
    if (reach === 'tool' && entry.list === 'ask' && shell?.leftToSandbox !== undefined)
      sorted.ignored.push({ ...groundOf(rule), why: 'Asks about every call except those in the sandbox.' })
    else if (reach === 'some')
      sorted.partial.push({ ...groundOf(rule), why: `${verbs[entry.list]} some calls of it.` })
    else if (reach !== undefined)
      sorted[entry.list][reach].push({
        ground: groundOf(rule),
        says:
          reach === 'tool' ? `${verbs[entry.list]} every call of it` : `${verbs[entry.list]} this call of it`,
      })
    else addMissed(sorted, one, rule)
  }
  if (shell !== undefined) addShell(sorted, shell)
  return sorted
}

function addMissed(sorted: Sorted, one: Case, rule: RuleInForce): void {
  const why = nearMissReason(one, rule)
  if (why !== undefined) sorted.ignored.push({ ...groundOf(rule), why })
}

const leftToSandbox =
  'The client leaves it to the sandbox, where a bare name matches only at the project root, and `Edit(**/…)` matches nothing.'

function addShell(sorted: Sorted, shell: ShellVerdict): void {
  const part = (list: 'deny' | 'ask' | 'allow', { rule, part: text }: RuleOnPart): GroundCandidate => ({
    ground: groundOf(rule),
    says: `${verbs[list]} \`${text}\``,
  })
  sorted.deny.call.push(...shell.denied.map((one) => part('deny', one)))
  for (const { rule } of shell.leftToSandbox ?? [])
    sorted.ignored.push({ ...groundOf(rule), why: leftToSandbox })
  sorted.ask.call.push(...shell.asked.map((one) => part('ask', one)))
  if (shell.verbatim !== undefined) sorted.allow.verbatim.push(part('allow', shell.verbatim))
  const allowed = shell.allowed.filter(({ rule }) => rule !== shell.verbatim?.rule)
  if (shell.open.length === 0) sorted.allow.call.push(...allowed.map((one) => part('allow', one)))
  else {
    const why = `Allows part of the command, but nothing allows \`${shell.open[0]}\`.`
    for (const { rule } of allowed) sorted.ignored.push({ ...groundOf(rule), why })
  }
}
