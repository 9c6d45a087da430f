/** Moves the MCP servers of a client behind the gateway: from the client's file into ours. */

import { readFileSync } from 'node:fs'

import type { ClientFile, Remembered } from '../../../clients/init/client-file.ts'
import { once } from '@contextd/shared/once'
import { isJsonObject, valueAt } from '@contextd/shared/json/value'
import { parseJson } from '@contextd/shared/json/json-source'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { discoverServers } from '../../../tools/upstream/servers/discover-servers.ts'
import { addServer } from '../../../tools/upstream/servers/edit-servers.ts'
import { findServers, type FoundServers } from '../../../tools/upstream/servers/import-servers.ts'
import { hideSecrets, type LiteralSecret } from '../../../tools/upstream/servers/literal-secrets.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import { survey } from '../upstream/list.ts'
import { secretTest } from '../upstream/secrets.ts'
import type { Platform } from '../../../clients/find-clients.ts'

export interface Move {
  /** Our file with the servers; undefined if there is nothing to move. */
  readonly file?: ClientFile
  readonly servers: FoundServers['servers']
  /** What stays with the client, and why. */
  readonly left: FoundServers['left']
  readonly secrets: readonly LiteralSecret[]
}

export const noMove: Move = { servers: [], left: [], secrets: [] }

export async function planMove(
  places: readonly { readonly client: Platform; readonly path: string }[],
  project: string | undefined,
  io: CliIo,
): Promise<Move> {
  const own = discoverServers(io.env, resolvePaths(io.env), io.cwd)
  const [path = ''] = project === undefined ? own.user : own.project
  const role = project === undefined ? 'user' : 'project'
  const there = await withRecords(io, (records) => survey(records, io))
  const taken = there.servers
    // A client's file is their origin, not their location.
    .filter(({ server }) => !places.some((place) => place.path === server.file))
    .map(({ server }) => server.name)
  const found = findServers(places, project ?? io.cwd, taken)
  const namesAt = once((file) => new Set(namesIn(readFileSync(file, 'utf8'))))
  const isMovable = ({ path, name }: { path: string; name: string }): boolean => namesAt(path).has(name)
  const servers = found.servers.filter(isMovable)
  const left = [
    ...found.left.filter(({ name }) => name !== 'contextd'),
    ...found.servers
      .filter((server) => !isMovable(server))
      .map(({ client, path, name }) => ({
        client,
        path,
        name,
        why: 'it would get another name here, or is configured for a single project',
      })),
  ]
  if (servers.length === 0) return { servers, left, secrets: [] }
  const looksSecret = await secretTest(io)
  return {
    servers,
    left,
    secrets: servers.flatMap(({ name, entry }) => hideSecrets(name, entry, looksSecret).secrets),
    file: {
      path,
      kind: 'json',
      extend: (text) =>
        servers.reduce<string | undefined>(
          (now, { name, entry }) => addServer(now, name, entry, { path, role }),
          text,
        ) ?? '',
      clear: (text) => text,
    },
  }
}

/** Servers that an earlier run removed from a client's file. */
export function movedBefore(remembered: readonly Remembered[], path: string): string[] {
  const earlier = remembered.find((one) => one.path === path)
  if (earlier === undefined || earlier.before === null) return []
  const left = new Set(namesIn(earlier.after))
  return namesIn(earlier.before).filter((name) => name !== 'contextd' && !left.has(name))
}

function namesIn(text: string): string[] {
  const parsed = parseJson(text, { comments: true })
  const found = parsed.ok && (valueAt(parsed.value, ['mcpServers']) ?? valueAt(parsed.value, ['mcp']))
  return isJsonObject(found) ? Object.keys(found) : []
}
