/** Every rule of the linter, in the order of the documentation. */

import { claudeCodeRules } from './claude-code/lint/rules.ts'
import { openCodeRules } from './opencode/lint/rules.ts'
import type { PermissionClient } from './clients.ts'
import type { LintRule } from './findings/finding.ts'

/**
 * A rule of the linter; `why` is Markdown.
 *
 * @example
 * import { listedRules, type ListedLintRule } from '@contextd/permissions/rules'
 *
 * const isError = ({ severity }: ListedLintRule) => severity === 'error'
 * console.log(listedRules.some(isError))
 * // → true
 */
export interface ListedLintRule extends Pick<LintRule<never>, 'id' | 'severity' | 'title' | 'why'> {
  readonly client: PermissionClient
}

/**
 * Every rule of the linter, of all clients.
 *
 * @example
 * import { listedRules } from '@contextd/permissions/rules'
 *
 * for (const { id, client, title } of listedRules) console.log(`${id} (${client}): ${title}`)
 */
export const listedRules: readonly ListedLintRule[] = [
  ...claudeCodeRules.map((rule) => listed(rule, 'claude-code')),
  ...openCodeRules.map((rule) => listed(rule, 'opencode')),
]

function listed({ id, severity, title, why }: LintRule<never>, client: PermissionClient): ListedLintRule {
  return { id, severity, title, why, client }
}
