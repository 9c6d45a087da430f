import type { JsonProblem } from '../../../platform/config/json-problem.ts'
import type { UpstreamServer } from '../server.ts'
import { sameNameProblem, type ServerEntry } from './check-servers.ts'
import { listedServerName } from './server-name.ts'

export interface MergedServers {
  /** Usable servers by name. */
  readonly servers: ReadonlyMap<string, UpstreamServer>
  /** Servers without effect, because an earlier one has the same name. */
  readonly overridden: readonly { readonly server: UpstreamServer; readonly why: string }[]
  readonly problems: readonly JsonProblem[]
}

/**
 * Merges the servers of all files, given in order of precedence. The first server with a name owns it: a project cannot
 * override a user's server, not even a disabled one.
 */
export function mergeServers(entries: readonly ServerEntry[]): MergedServers {
  const owners = new Map<string, UpstreamServer>()
  const servers = new Map<string, UpstreamServer>()
  const overridden: { server: UpstreamServer; why: string }[] = []
  const problems: JsonProblem[] = []
  for (const { server, disabled } of entries) {
    const { name, role, file, line } = server
    const listed = listedServerName(name)
    const owner = owners.get(listed)
    if (owner === undefined) {
      owners.set(listed, server)
      if (!disabled) servers.set(name, server)
    } else if (owner.name === name || owner.role !== role) {
      const taken =
        owner.name === name
          ? 'the name'
          : `the name ${JSON.stringify(owner.name)}, which is listed the same way,`
      overridden.push({ server, why: `${taken} is taken by ${owner.file}:${owner.line}` })
    } else {
      const message = `${sameNameProblem(name, owner.name)} (${owner.file}:${owner.line})`
      problems.push({ file, line, column: 1, path: `mcpServers.${name}`, message })
    }
  }
  return { servers, overridden, problems }
}

/** `servers.json:4: the server "db" has no effect: …` */
export function overriddenWarning({ server, why }: MergedServers['overridden'][number]): string {
  return `${server.file}:${server.line}: the server ${JSON.stringify(server.name)} has no effect: ${why}`
}
