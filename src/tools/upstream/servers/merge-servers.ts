import type { JsonProblem } from '../../../platform/config/json-problem.ts'
import type { UpstreamServer } from '../server.ts'
import { sameNameProblem, type ServerEntry } from './check-servers.ts'
import { listedServerName } from './server-name.ts'

export interface MergedServers {
  /** What may be used, by name. */
  readonly servers: ReadonlyMap<string, UpstreamServer>
  /** What another server of the same name leaves without effect. */
  readonly passedOver: readonly { readonly server: UpstreamServer; readonly why: string }[]
  readonly problems: readonly JsonProblem[]
}

/**
 * The servers of all files, given in the order in which they count. A name belongs to the first that has it: a project
 * cannot take one of the user's, not even one that the user has disabled.
 */
export function mergeServers(entries: readonly ServerEntry[]): MergedServers {
  const owners = new Map<string, UpstreamServer>()
  const servers = new Map<string, UpstreamServer>()
  const passedOver: { server: UpstreamServer; why: string }[] = []
  const problems: JsonProblem[] = []
  for (const { server, disabled } of entries) {
    const { name, role, file, line } = server
    const listed = listedServerName(name)
    const owner = owners.get(listed)
    if (owner === undefined) {
      owners.set(listed, server)
      if (!disabled) servers.set(name, server)
    } else if (owner.name === name || owner.role !== role) {
      const taken = owner.name === name ? 'the name' : `the name ${JSON.stringify(owner.name)}, listed alike,`
      passedOver.push({ server, why: `${taken} is taken by ${owner.file}:${owner.line}` })
    } else {
      const message = `${sameNameProblem(name, owner.name)} (${owner.file}:${owner.line})`
      problems.push({ file, line, column: 1, path: `mcpServers.${name}`, message })
    }
  }
  return { servers, passedOver, problems }
}

/** `servers.json:4: the server "db" has no effect: …` */
export function passedOverWarning({ server, why }: MergedServers['passedOver'][number]): string {
  return `${server.file}:${server.line}: the server ${JSON.stringify(server.name)} has no effect: ${why}`
}
