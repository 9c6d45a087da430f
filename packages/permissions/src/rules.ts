/** Every rule of the linter, in the order in which they are listed. */

import { claudeCodeRules } from './claude-code/lint/rules.ts'
import { openCodeRules } from './opencode/lint/rules.ts'
import type { PermissionClient } from './clients.ts'
import type { LintRule } from './findings/finding.ts'

export interface ListedLintRule extends Pick<LintRule<never>, 'id' | 'severity' | 'title' | 'why'> {
  readonly client: PermissionClient
}

/** What there is to say of each, without what it checks. */
export const listedRules: readonly ListedLintRule[] = [
  ...claudeCodeRules.map((rule) => listed(rule, 'claude-code')),
  ...openCodeRules.map((rule) => listed(rule, 'opencode')),
]

function listed({ id, severity, title, why }: LintRule<never>, client: PermissionClient): ListedLintRule {
  return { id, severity, title, why, client }
}
