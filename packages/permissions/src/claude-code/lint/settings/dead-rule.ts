/** What rules of settings that can never be met have in common. */

import type { FindingDetails } from '../../../findings/finding.ts'
import { parseRule, type ClaudeRule } from '../../rules/rule.ts'
import type { ClaudeSetup, RuleEntry } from '../../setup/setup.ts'
import { replaceRule } from '../places/written-rules.ts'

/** What is wrong with one rule. `meant`: what it should read, where that is plain. */
export interface RuleFault {
  readonly message: string
  readonly fix: string
  readonly meant?: readonly string[]
  /** For a rule of whatever list. */
  readonly severity?: 'note'
}

export type JudgeRule = (
  entry: RuleEntry,
  rule: ClaudeRule | undefined,
  setup: ClaudeSetup,
) => RuleFault | undefined

/** A dead rule that should close something leaves it open; one that should allow is merely of no use. */
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
        const closes = list !== 'allow'
        return [
          {
            file,
            line,
            column,
            message,
            fix,
            ...(severity === undefined ? closes && { severity: 'error' } : { severity }),
            ...(closes && meant !== undefined && { repairs: [replaceRule(entry, meant)] }),
          },
        ]
      })
}
