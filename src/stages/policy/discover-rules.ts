import { join, resolve } from 'node:path'

import type { Paths } from '../../platform/files/paths.ts'

/** Where rules may come from. Of each list the first file that is there counts. */
export interface RulesLocations {
  readonly user: readonly string[]
  /** The person named the file: not finding it is an error, not "no rules". */
  readonly userIsNamed: boolean
  /** Only files the person has trusted count. */
  readonly project: readonly string[]
}

/** The name the older gateway's rules have. */
const compatibleName = '.mcp-gateway-rules.json'

export function discoverRules(
  env: NodeJS.ProcessEnv,
  paths: Pick<Paths, 'config' | 'rulesFile'>,
  project: string,
): RulesLocations {
  const named = env.GATEWAY_RULES
  return {
    // Not from the project: a repository could have a file of that name, and it would count as the user's own.
    user: named ? [resolve(paths.config, named)] : [paths.rulesFile, join(paths.config, compatibleName)],
    userIsNamed: Boolean(named),
    project: [join(project, '.contextd', 'rules.json'), join(project, compatibleName)],
  }
}
