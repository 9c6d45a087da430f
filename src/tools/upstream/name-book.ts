/** Which server's tool or prompt is behind a name that clients see. The same for everyone, and for as long as we run. */

import { listedName, wholeName } from './definitions/listed-names.ts'
import type { UpstreamServer } from './server.ts'

export interface Named {
  readonly server: string
  /** As the server has it. */
  readonly name: string
}

export interface ListedNames {
  /** The name for it; undefined where that belongs to something else. */
  enter(server: UpstreamServer, name: string): string | undefined
  lookup(listed: string): Named | undefined
  /** What a name must stand for that nobody has listed since we started. */
  guess(
    listed: string,
    servers: readonly UpstreamServer[],
    known: (server: UpstreamServer) => readonly string[],
  ): Named | undefined
}

/** Names are kept as long as we run; a server with ever new ones gets no more of them. */
const maxNames = 20_000
const maxNameLength = 256

/**
 * `isReserved`: whether something of our own has the name. A name that two have is nobody's: calling the wrong tool is
 * worse than calling none.
 */
export function createNames(isReserved: (name: string) => boolean): ListedNames {
  const names = new Map<string, Named>()
  const contested = new Set<string>()

  const claim = (listed: string, named: Named): boolean => {
    const there = names.get(listed)
    if (there !== undefined && (there.server !== named.server || there.name !== named.name))
      contested.add(listed)
    if (contested.has(listed) || isReserved(listed)) return false
    if (there === undefined && (names.size >= maxNames || named.name.length > maxNameLength)) return false
    names.set(listed, named)
    return true
  }
  const enter: ListedNames['enter'] = ({ name: server, prefix }, name) => {
    const entry = { server, tool: name, prefix }
    const listed = listedName(entry)
    const whole = wholeName(entry)
    // Who knows it by the name that was too long to be listed may call it that.
    if (whole !== listed) claim(whole, { server, name })
    return claim(listed, { server, name }) ? listed : undefined
  }
  const lookup: ListedNames['lookup'] = (listed) => (contested.has(listed) ? undefined : names.get(listed))

  return {
    enter,
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
