/** Maps listed names to tools or prompts of servers. Shared by all clients, and stable while contextd runs. */

import { listedName, wholeName } from './definitions/listed-names.ts'
import type { UpstreamServer } from './server.ts'

export interface Named {
  readonly server: string
  /** The name on the server. */
  readonly name: string
}

export interface ListedNames {
  /** Returns the listed name; undefined if that name already belongs to something else. */
  add(server: UpstreamServer, name: string): string | undefined
  lookup(listed: string): Named | undefined
  /** Resolves a name that has not been listed since contextd started. */
  guess(
    listed: string,
    servers: readonly UpstreamServer[],
    known: (server: UpstreamServer) => readonly string[],
  ): Named | undefined
}

/** Names are never forgotten, so a server with ever new ones must be limited. */
const maxNames = 20_000
const maxNameLength = 256

/**
 * `isReserved`: whether contextd itself uses the name. A name claimed by two tools resolves to neither: calling the wrong
 * tool is worse than calling none.
 */
export function createNames(isReserved: (name: string) => boolean): ListedNames {
  const names = new Map<string, Named>()
  const contested = new Set<string>()

  const claim = (listed: string, named: Named): boolean => {
    const existing = names.get(listed)
    if (existing !== undefined && (existing.server !== named.server || existing.name !== named.name))
      contested.add(listed)
    if (contested.has(listed) || isReserved(listed)) return false
    if (existing === undefined && (names.size >= maxNames || named.name.length > maxNameLength)) return false
    names.set(listed, named)
    return true
  }
  const add: ListedNames['add'] = ({ name: server, prefix }, name) => {
    const entry = { server, tool: name, prefix }
    const listed = listedName(entry)
    const whole = wholeName(entry)
    // Clients may also use the full name that was too long to be listed.
    if (whole !== listed) claim(whole, { server, name })
    return claim(listed, { server, name }) ? listed : undefined
  }
  const lookup: ListedNames['lookup'] = (listed) => (contested.has(listed) ? undefined : names.get(listed))

  return {
    add,
    lookup,
    guess(listed, servers, known) {
      if (servers.length === 0 || contested.has(listed) || isReserved(listed)) return undefined
      const isFor = ({ name: server, prefix }: UpstreamServer, tool: string): boolean =>
        [listedName, wholeName].some((nameOf) => nameOf({ server, tool, prefix }) === listed)
      for (const server of servers) {
        const name = known(server).find((one) => isFor(server, one))
        if (name !== undefined) return { server: server.name, name }
      }
      const name = listed.slice(listed.indexOf('__') + 2)
      const server = servers.find((one) => one.prefix && isFor(one, name))
      return server && { server: server.name, name }
    },
  }
}
