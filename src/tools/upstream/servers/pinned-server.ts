import { sha256, type PinnedServer } from '../definitions/pinned-definition.ts'
import type { UpstreamServer } from '../server.ts'

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
