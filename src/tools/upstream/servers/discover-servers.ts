import { join, resolve } from 'node:path'

import { fileProblem, type JsonProblem } from '../../../platform/config/json-problem.ts'
import type { Paths } from '../../../platform/files/paths.ts'
import { sharedName, type ServersFile } from './check-servers.ts'

/** The files that can declare servers. All existing files apply, in order of precedence. */
export interface ServersLocations {
  readonly user: readonly string[]
  /** The user named the file explicitly, so it is an error if it does not exist. */
  readonly userIsNamed: boolean
  /** These apply only if the user trusted them. */
  readonly project: readonly string[]
}

export function discoverServers(
  env: NodeJS.ProcessEnv,
  paths: Pick<Paths, 'config' | 'serversFile'>,
  project: string,
): ServersLocations {
  const named = env.GATEWAY_MCP_CONFIG
  return {
    // Not relative to the project: a file in a repository would be treated as the user's own.
    user: named ? [resolve(paths.config, named)] : [paths.serversFile, join(paths.config, sharedName)],
    userIsNamed: Boolean(named),
    project: [join(project, '.contextd', 'servers.json'), join(project, sharedName)],
  }
}

export function missingFile(path: string): JsonProblem {
  return fileProblem(path, 'GATEWAY_MCP_CONFIG names a file that does not exist')
}

/** In order of precedence. */
export function serversFiles({ user, project }: ServersLocations): ServersFile[] {
  return [
    ...user.map((path) => ({ path, role: 'user' }) as const),
    ...project.map((path) => ({ path, role: 'project' }) as const),
  ]
}
