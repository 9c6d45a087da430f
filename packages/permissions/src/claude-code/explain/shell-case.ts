/** What is said of a command of the shell in one case: in its mode, its folders and its sandbox. */

import type { Case } from './case.ts'
import type { RuleInForce } from './in-force/rules-in-force.ts'
import type { UnaskedSandbox } from './sandbox.ts'
import { acceptsEdits } from './session-mode.ts'
import type { ShellSurroundings } from './shell/shell-parts.ts'
import { judgeShell, type ShellVerdict } from './shell/shell-verdict.ts'

export function shellVerdict(one: Case, command: string, sandbox: UnaskedSandbox | undefined): ShellVerdict {
  const rules = one.rules.filter(
    (rule) =>
      rule.ignored === undefined && /^(?:Bash|Read|Edit)$/.test(rule.rule.tool) && !isTooWide(one, rule),
  )
  const place = shellPlace(one)
  return judgeShell(command, rules, sandbox === undefined ? place : { ...place, excluded: sandbox.excluded })
}

/** Judged as if it were the only rule there is. */
export function meansCommand(one: Case, command: string, rule: RuleInForce): boolean {
  const { denied, asked, allowed, verbatim } = judgeShell(command, [rule], shellPlace(one))
  return verbatim !== undefined || [denied, asked, allowed].some((met) => met.length > 0)
}

function shellPlace({ setup, folders, mode }: Case): ShellSurroundings {
  const { project, home, config, namesOf } = setup
  return { project, home, config, namesOf, folders, acceptsEdits: acceptsEdits(mode) }
}

/** Where the classifier decides, nothing that runs whole programs is allowed by a rule. */
const interpreters =
  /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|lua|bash|sh|zsh|fish|npx|bunx|sudo|ssh|eval|exec|env|xargs)\b/

export function isTooWide({ mode, kind }: Case, { entry, rule }: RuleInForce): boolean {
  if (!mode.isClassified || kind !== 'shell' || entry.list !== 'allow' || rule.tool !== 'Bash') return false
  return rule.content === undefined || (rule.content.includes('*') && interpreters.test(rule.content))
}
