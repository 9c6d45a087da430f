/** The permission files of agent clients: what the linter needs of us, and both commands as functions. */

import type { PermissionQuestion } from '../clients/claude-code/permissions/explain/question.ts'
import type { ClaudeSetup } from '../clients/claude-code/permissions/setup.ts'
import type { PermissionExplanation } from '../clients/permissions/explanation.ts'
import type { LintFinding } from '../clients/permissions/finding.ts'
import type { ReadSetupsOptions } from '../clients/permissions/read-setups.ts'
import { LOCAL_TENANT } from '../core/call.ts'
import { openScrubber } from '../stages/scrub/open-scrubber.ts'

const session = { tenant: LOCAL_TENANT, session: 'permissions' }

export type PermissionPorts = Pick<ClaudeSetup, 'secretsIn'>

/** What counts as a secret is the same as everywhere else, with the person's own rules. */
export async function permissionPorts(env: NodeJS.ProcessEnv, cwd: string): Promise<PermissionPorts> {
  const { scrubber } = await openScrubber({ env, cwd })
  return {
    secretsIn: (text) => scrubber.scrub(text, session).findings.map(({ start, end }) => ({ start, end })),
  }
}

/** What `ctxd permissions lint` says of the clients' files in and for this folder. */
export async function lintPermissions(reading: Omit<ReadSetupsOptions, 'secretsIn'>): Promise<LintFinding[]> {
  const { lint } = await import('../clients/permissions/lint.ts')
  const { readSetups } = await import('../clients/permissions/read-setups.ts')
  return lint(readSetups({ ...reading, ...(await permissionPorts(reading.env, reading.cwd)) }))
}

/** What `ctxd permissions explain` says of a tool, named as at runtime: of Claude Code, unless `client` says otherwise. */
export async function explainPermission(
  {
    cliAllow = [],
    cliDeny = [],
    ...question
  }: Pick<PermissionQuestion, 'tool'> & Partial<PermissionQuestion>,
  reading: Omit<ReadSetupsOptions, 'secretsIn'>,
): Promise<PermissionExplanation> {
  const { explain } = await import('../clients/claude-code/permissions/explain/explain.ts')
  const { readClaudeSetup, readOpenCode } = await import('../clients/permissions/read-setups.ts')
  // Whether something is secret decides nothing here.
  const read = { ...reading, secretsIn: () => [] }
  if (reading.client === 'opencode') {
    const { explainOpenCode } = await import('../clients/opencode/permissions/explain/explain.ts')
    return explainOpenCode(readOpenCode(read), question)
  }
  return explain(readClaudeSetup(read), { ...question, cliAllow, cliDeny })
}
