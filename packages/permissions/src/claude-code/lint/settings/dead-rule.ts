/** Shared by the lint rules about permission rules that never match. */

import type { FindingDetails } from '../../../findings/finding.ts'
import { parseRule, type ClaudeRule } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { replaceRule } from '../places/written-rules.ts'

/** `meant`: the intended rules, if they are unambiguous. */
export interface RuleFault {
  readonly message: string
  readonly fix: string
  readonly meant?: readonly string[]
  /** Regardless of the list. */
  readonly severity?: 'note'
}

export type JudgeRule = (
  entry: RuleEntry,
  rule: ClaudeRule | undefined,
  setup: ClaudeSetup,
) => RuleFault | undefined

/** A dead deny or ask rule leaves something open; a dead allow rule is merely useless. */
export function deadRules(judge: JudgeRule): (setup: ClaudeSetup) => FindingDetails[] {
  return (setup) =>
    setup.settings
      .flatMap(({ rules }) => rules)
      .flatMap((entry): FindingDetails[] => {
        const parsed = parseRule(entry.text)
        const rule = 'problem' in parsed ? undefined : parsed
        if (rule?.tool.startsWith('mcp__') === true) return []
        const fault = judge(entry, rule, setup)
        if (fault === undefined) return []
        const { file, line, column, list } = entry
        const { message, fix, meant, severity } = fault
        const isRestrictive = list !== 'allow'
        return [
          {
            file,
            line,
            column,
            message,
            fix,
            ...(severity === undefined ? isRestrictive && { severity: 'error' } : { severity }),
            ...(isRestrictive && meant !== undefined && { repairs: [replaceRule(entry, meant)] }),
          },
        ]
      })
}
