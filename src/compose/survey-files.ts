import { LOCAL_TENANT } from '../core/call.ts'
import { resolvePaths } from '../platform/files/paths.ts'
import type { Store } from '../platform/storage/store.ts'
import type { Trust } from '../platform/trust.ts'
import { discoverServers } from '../tools/upstream/servers/discover-servers.ts'
import { surveyServers, type ServersSurvey } from '../tools/upstream/servers/survey-servers.ts'
import { projectVariable } from '../tools/upstream/servers/variables.ts'

/**
 * The MCP servers that files currently declare, without starting any. Without a store, no file is trusted and no
 * secret is set.
 */
export function surveyFiles(
  { store, isTrusted }: { readonly store: Store | undefined; readonly isTrusted: Trust['isTrusted'] },
  { env, cwd }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string },
): ServersSurvey {
  const rows = store?.rows('secrets', { tenant: LOCAL_TENANT }).all({ kind: 'set' }) ?? []
  const secrets = new Set(rows.map(({ rule }) => rule))
  return surveyServers(discoverServers(env, resolvePaths(env), cwd), isTrusted, {
    env: { ...env, [projectVariable]: cwd },
    // Lists only need to know whether the secret exists.
    secret: (name) => (secrets.has(`set:${name}`) ? '' : undefined),
  })
}
