/** Evaluates a shell command for one case: with its mode, folders and sandbox. */

import type { Case } from './case.ts'
import type { RuleInForce } from './in-force/rules-in-force.ts'
import type { AutoAllowSandbox } from './sandbox.ts'
import { acceptsEdits } from './session-mode.ts'
import type { ShellSurroundings } from './shell/shell-parts.ts'
import { judgeShell, type ShellVerdict } from './shell/shell-verdict.ts'

export function shellVerdict(
  one: Case,
  command: string,
  sandbox: AutoAllowSandbox | undefined,
): ShellVerdict {
  const rules = one.rules.filter(
    (rule) =>
      rule.ignored === undefined && /^(?:Bash|Read|Edit)$/.test(rule.rule.tool) && !isTooBroad(one, rule),
  )
  const place = shellPlace(one)
  return judgeShell(command, rules, sandbox === undefined ? place : { ...place, excluded: sandbox.excluded })
}

/** Whether this rule, evaluated alone, matches the command. */
export function matchesCommand(one: Case, command: string, rule: RuleInForce): boolean {
  const { denied, asked, allowed, verbatim } = judgeShell(command, [rule], shellPlace(one))
  return verbatim !== undefined || [denied, asked, allowed].some((matches) => matches.length > 0)
}

function shellPlace({ setup, folders, mode }: Case): ShellSurroundings {
  const { project, home, config, namesOf } = setup
  return { project, home, config, namesOf, folders, acceptsEdits: acceptsEdits(mode) }
}

/** In classifier mode, wildcard rules for programs that run arbitrary code are ignored. */
const interpreters =
  /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|lua|bash|sh|zsh|fish|npx|bunx|sudo|ssh|eval|exec|env|xargs)\b/

export function isTooBroad({ mode, kind }: Case, { entry, rule }: RuleInForce): boolean {
  if (!mode.isClassified || kind !== 'shell' || entry.list !== 'allow' || rule.tool !== 'Bash') return false
  return rule.content === undefined || (rule.content.includes('*') && interpreters.test(rule.content))
}
