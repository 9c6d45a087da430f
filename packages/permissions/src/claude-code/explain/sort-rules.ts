/** What the rules say of one question: which are about it, which are left aside, which only look as if they were. */

import type { Case } from './case.ts'
import { verbs, type Ground } from '../../findings/explanation.ts'
import type { GroundCandidate } from './question.ts'
import { missedBy } from './near-rules.ts'
import { mightMean, ruleReach } from './reach.ts'
import { groundOf, type RuleInForce } from './in-force/rules-in-force.ts'
import { isTooWide } from './shell-case.ts'
import type { RuleOnPart } from './shell/shell-parts.ts'
import type { ShellVerdict } from './shell/shell-verdict.ts'

type Weight = 'whole' | 'some' | 'verbatim'
export type Sorted = Record<'deny' | 'ask' | 'allow', Record<Weight, GroundCandidate[]>> & {
  ignored: Ground[]
  partial: Ground[]
}

const newWeights = (): Record<Weight, GroundCandidate[]> => ({ whole: [], some: [], verbatim: [] })

export function sortRules(one: Case, shell: ShellVerdict | undefined): Sorted {
  const sorted: Sorted = {
    deny: newWeights(),
    ask: newWeights(),
    allow: newWeights(),
    ignored: [],
    partial: [],
  }
  const reachOf = ruleReach(one)
  for (const rule of one.rules) {
    const { entry, ignored } = rule
    if (ignored !== undefined || isTooWide(one, rule)) {
      const why =
        ignored ??
        `In the mode ${one.mode.mode} the client leaves aside rules that allow as much as this one.`
      if (mightMean(one, rule)) sorted.ignored.push({ ...groundOf(rule), why })
      else addMissed(sorted, one, rule)
      continue
    }
    const reach = reachOf(rule)
    if (reach === 'whole' && entry.list === 'ask' && shell?.leftToSandbox !== undefined)
      sorted.ignored.push({ ...groundOf(rule), why: 'Asks about every call but those in the sandbox.' })
    else if (reach === 'other')
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

const leftToSandbox =
  'The client leaves it to the sandbox, where a bare name means only the top of the project, and `Edit(**/…)` nothing.'

function addShell(sorted: Sorted, shell: ShellVerdict): void {
  const part = (list: 'deny' | 'ask' | 'allow', { rule, part: text }: RuleOnPart): GroundCandidate => ({
    ground: groundOf(rule),
    says: `${verbs[list]} \`${text}\``,
  })
  sorted.deny.some.push(...shell.denied.map((one) => part('deny', one)))
  for (const { rule } of shell.leftToSandbox ?? [])
    sorted.ignored.push({ ...groundOf(rule), why: leftToSandbox })
  sorted.ask.some.push(...shell.asked.map((one) => part('ask', one)))
  if (shell.verbatim !== undefined) sorted.allow.verbatim.push(part('allow', shell.verbatim))
  const allowed = shell.allowed.filter(({ rule }) => rule !== shell.verbatim?.rule)
  if (shell.open.length === 0) sorted.allow.some.push(...allowed.map((one) => part('allow', one)))
  else {
    const why = `Allows a part of the command, but nothing allows \`${shell.open[0]}\`.`
    for (const { rule } of allowed) sorted.ignored.push({ ...groundOf(rule), why })
  }
}
