import { join, resolve } from 'node:path'

import type { Paths } from '../../platform/files/paths.ts'

/** Where rules may come from. The first existing file of each list applies. */
export interface RulesLocations {
  readonly user: readonly string[]
  /** The user named the file, so its absence is an error rather than "no rules". */
  readonly userIsNamed: boolean
  /** Only files that the user has trusted apply. */
  readonly project: readonly string[]
}

/** The file name that older gateways use. */
const compatibleName = '.mcp-gateway-rules.json'

export function discoverRules(
  env: NodeJS.ProcessEnv,
  paths: Pick<Paths, 'config' | 'rulesFile'>,
  project: string,
): RulesLocations {
  const named = env.GATEWAY_RULES
  return {
    // Never relative to the project: a repository could contain such a file, which would then count as the user's
    // own.
    user: named ? [resolve(paths.config, named)] : [paths.rulesFile, join(paths.config, compatibleName)],
    userIsNamed: Boolean(named),
    project: [join(project, '.contextd', 'rules.json'), join(project, compatibleName)],
  }
}
