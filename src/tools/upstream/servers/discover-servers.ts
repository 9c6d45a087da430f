import { join, resolve } from 'node:path'

import { fileProblem, type JsonProblem } from '../../../platform/config/json-problem.ts'
import type { Paths } from '../../../platform/files/paths.ts'
import { sharedName, type ServersFile } from './check-servers.ts'

/** Where servers may be named. Every file that is there counts, the first before the next. */
export interface ServersLocations {
  readonly user: readonly string[]
  /** The person named the file: not finding it is an error, not "no servers". */
  readonly userIsNamed: boolean
  /** Only files the person has trusted count. */
  readonly project: readonly string[]
}

export function discoverServers(
  env: NodeJS.ProcessEnv,
  paths: Pick<Paths, 'config' | 'serversFile'>,
  project: string,
): ServersLocations {
  const named = env.GATEWAY_MCP_CONFIG
  return {
    // Not from the project: a repository could have a file of that name, and it would count as the user's own.
    user: named ? [resolve(paths.config, named)] : [paths.serversFile, join(paths.config, sharedName)],
    userIsNamed: Boolean(named),
    project: [join(project, '.contextd', 'servers.json'), join(project, sharedName)],
  }
}

/** Where the person named a file. */
export function missingFile(path: string): JsonProblem {
  return fileProblem(path, 'GATEWAY_MCP_CONFIG names a file that is not there')
}

/** In the order in which they count. */
export function serversFiles({ user, project }: ServersLocations): ServersFile[] {
  return [
    ...user.map((path) => ({ path, role: 'user' }) as const),
    ...project.map((path) => ({ path, role: 'project' }) as const),
  ]
}
