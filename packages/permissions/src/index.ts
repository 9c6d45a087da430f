/** What coding agents may do in a folder, and what is wrong with the files that say so. */

import type { PermissionQuestion } from './claude-code/explain/question.ts'
import { findSecretsIn } from './findings/masked.ts'
import type { PermissionExplanation } from './findings/explanation.ts'
import type { LintFinding } from './findings/finding.ts'
import type { ReadSetupsOptions } from './read-setups.ts'

export type { PermissionExplanation } from './findings/explanation.ts'
export type { LintFinding } from './findings/finding.ts'

/**
 * Where to look.
 *
 * @example
 * const reading: PermissionFiles = { env: process.env, cwd: '/home/me/project', client: 'claude-code' }
 */
export type PermissionFiles = Omit<ReadSetupsOptions, 'secretsIn'> &
  Partial<Pick<ReadSetupsOptions, 'secretsIn'>>

/**
 * A tool call, named as at runtime.
 *
 * @example
 * const question: ToolQuestion = { tool: 'Bash(npm test)', agent: 'reviewer' }
 */
export type ToolQuestion = Pick<PermissionQuestion, 'tool'> & Partial<PermissionQuestion>

/**
 * Lints the files of Claude Code and OpenCode that apply in a folder.
 *
 * @example
 * const findings = await lintPermissions({ env: process.env, cwd: process.cwd() })
 * for (const { file, line, rule, message } of findings) console.log(`${file}:${line} ${rule}: ${message}`)
 */
export async function lintPermissions(reading: PermissionFiles): Promise<LintFinding[]> {
  const { lint } = await import('./lint.ts')
  const { readSetups } = await import('./read-setups.ts')
  return lint(readSetups({ ...reading, secretsIn: reading.secretsIn ?? (await findSecretsIn()) }))
}

/**
 * Explains what the client would do with a tool call, and which rule decides: Claude Code, unless `client` says
 * otherwise.
 *
 * @example
 * const { decision, decidedBy } = await explainPermission({ tool: 'Bash(npm test)' }, { env: process.env, cwd: '.' })
 */
export async function explainPermission(
  { cliAllow = [], cliDeny = [], ...question }: ToolQuestion,
  reading: PermissionFiles,
): Promise<PermissionExplanation> {
  const { explain } = await import('./claude-code/explain/explain.ts')
  const { readClaudeSetup, readOpenCode } = await import('./read-setups.ts')
  // Whether something is secret decides nothing here.
  const read = { ...reading, secretsIn: () => [] }
  if (reading.client === 'opencode') {
    const { explainOpenCode } = await import('./opencode/explain/explain.ts')
    return explainOpenCode(readOpenCode(read), question)
  }
  return explain(readClaudeSetup(read), { ...question, cliAllow, cliDeny })
}
