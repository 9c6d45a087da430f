/** Explains what coding agents may do in a folder, and lints the files that configure it. */

import type { PermissionQuestion } from './claude-code/explain/question.ts'
import { findSecretsIn } from './findings/masked.ts'
import type { PermissionExplanation } from './findings/explanation.ts'
import type { LintFinding } from './findings/finding.ts'
import type { ReadSetupsOptions } from './read-setups.ts'

export type { PermissionExplanation } from './findings/explanation.ts'
export type { LintFinding } from './findings/finding.ts'

/**
 * The files to read: those that apply in `cwd`.
 *
 * @example
 * import type { PermissionFiles } from '@contextd/permissions'
 *
 * const files: PermissionFiles = { env: process.env, cwd: '/home/me/project', client: 'claude-code' }
 */
export type PermissionFiles = Omit<ReadSetupsOptions, 'secretsIn'> &
  Partial<Pick<ReadSetupsOptions, 'secretsIn'>>

/**
 * A tool call, named as at runtime.
 *
 * @example
 * import type { ToolQuestion } from '@contextd/permissions'
 *
 * const question: ToolQuestion = { tool: 'Bash(npm test)', agent: 'reviewer' }
 */
export type ToolQuestion = Pick<PermissionQuestion, 'tool'> & Partial<PermissionQuestion>

/**
 * Lints the files of Claude Code and OpenCode that apply in a folder.
 *
 * @example
 * import { lintPermissions } from '@contextd/permissions'
 *
 * const findings = await lintPermissions({ env: process.env, cwd: process.cwd() })
 * for (const { line, rule, severity } of findings) console.log(`line ${line}: ${severity} ${rule}`)
 * // → line 1: error mcp-rule-parentheses
 */
export async function lintPermissions(reading: PermissionFiles): Promise<LintFinding[]> {
  const { lint } = await import('./lint.ts')
  const { readSetups } = await import('./read-setups.ts')
  return lint(readSetups({ ...reading, secretsIn: reading.secretsIn ?? (await findSecretsIn()) }))
}

/**
 * Explains what a client would do with a tool call, and which rule decides. The client is Claude Code by default.
 *
 * @example
 * import { explainPermission } from '@contextd/permissions'
 *
 * const files = { env: process.env, cwd: process.cwd() }
 * const { decision, decidedBy } = await explainPermission({ tool: 'Read(./.env)' }, files)
 * console.log(`${decision} by ${decidedBy.rule}`)
 * // → deny by Read(./.env)
 */
export async function explainPermission(
  { cliAllow = [], cliDeny = [], ...question }: ToolQuestion,
  reading: PermissionFiles,
): Promise<PermissionExplanation> {
  const { explain } = await import('./claude-code/explain/explain.ts')
  const { readClaudeSetup, readOpenCode } = await import('./read-setups.ts')
  // Secrets do not affect decisions.
  const read = { ...reading, secretsIn: () => [] }
  if (reading.client === 'opencode') {
    const { explainOpenCode } = await import('./opencode/explain/explain.ts')
    return explainOpenCode(readOpenCode(read), question)
  }
  return explain(readClaudeSetup(read), { ...question, cliAllow, cliDeny })
}
