import type { LintFinding, PermissionFiles } from '@contextd/permissions'
import type { SecretsIn } from '@contextd/permissions/internal/masked'
import { LOCAL_TENANT } from '../core/call.ts'
import { openScrubber } from '../stages/scrub/open-scrubber.ts'

const session = { tenant: LOCAL_TENANT, session: 'permissions' }

/** Locates secrets with the rules that apply in this folder, including the user's own. */
export async function ownSecretsIn(env: NodeJS.ProcessEnv, cwd: string): Promise<SecretsIn> {
  const { scrubber } = await openScrubber({ env, cwd })
  return (text) => scrubber.scrub(text, session).findings.map(({ start, end }) => ({ start, end }))
}

/** Findings as `ctxd permissions lint` reports them: secrets in them are also masked with the user's own rules. */
export async function lintWithUserRules(reading: PermissionFiles): Promise<LintFinding[]> {
  const { lintPermissions } = await import('@contextd/permissions')
  return lintPermissions({ ...reading, secretsIn: await ownSecretsIn(reading.env, reading.cwd) })
}
