import { createPinStore } from '../../tools/upstream/definitions/pin-store.ts'
import { sha256, type PinnedServer } from '../../tools/upstream/definitions/pinned-definition.ts'
import type { Pins } from '../../tools/upstream/definitions/pins.ts'
import type { UpstreamServer } from '../../tools/upstream/server.ts'
import type { Pinned } from '../../tools/upstream/upstreams.ts'
import type { UpstreamParts } from './upstream.ts'

/** Judging definitions needs code that most sessions never use, so it is loaded with the first connection. */
export interface OpenPinned extends Pinned {
  load(): Promise<Pins>
  ownerOf(server: UpstreamServer): PinnedServer
}

export function openPinned(parts: UpstreamParts): OpenPinned {
  const { store, tenant, project, config, clock, onEvent } = parts
  // Stored definitions are scrubbed for display; whether a tool is unchanged is decided by its hash.
  const pinStore = createPinStore(store, tenant, clock, parts.scrub)
  const owners = new WeakMap<UpstreamServer, PinnedServer>()
  const ownerOf = (server: UpstreamServer): PinnedServer => {
    const owner = owners.get(server) ?? pinnedServer(server, project, config.upstream.on_change)
    owners.set(server, owner)
    return owner
  }
  let pins: Pins | undefined
  return {
    ownerOf,
    async load() {
      const { createPins } = await import('../../tools/upstream/definitions/pins.ts')
      return (pins ??= createPins({ store: pinStore, clock, onEvent }))
    },
    judge(server, tools) {
      if (pins === undefined) throw new Error('tools are judged before anything is connected')
      return pins.judge(ownerOf(server), tools)
    },
    tools(server) {
      const owner = ownerOf(server)
      const known = [...pinStore.list(owner).values()]
      return known.filter(({ identity }) => identity === owner.identity).map(({ definition }) => definition)
    },
  }
}

export function pinnedServer(
  server: Pick<UpstreamServer, 'name' | 'role' | 'transport' | 'onChange'>,
  project: string,
  onChange: 'hold' | 'allow',
): PinnedServer {
  return {
    server: server.name,
    project: server.role === 'project' ? project : '',
    identity: identityOf(server),
    onChange: server.onChange ?? onChange,
  }
}

/** Hash of the program or URL that the entry declares. */
export function identityOf({ transport }: Pick<UpstreamServer, 'transport'>): string {
  return sha256(
    transport.kind === 'stdio' ? [transport.command, transport.args, transport.cwd] : [transport.url],
  )
}
