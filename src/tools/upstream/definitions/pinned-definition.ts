/** What is pinned, and of whom. */

import { createHash } from 'node:crypto'

import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import type { UpstreamServer } from '../server.ts'
import type { UpstreamTool } from './definition.ts'

/** Whose pins: a server of a project's own file is another one than that of the same name elsewhere. */
export interface PinOwner {
  /** The project folder for servers of its file; empty for those of the person's own. */
  readonly project: string
  readonly server: string
}

/** A server whose tools are judged. */
export interface PinnedServer extends PinOwner {
  readonly identity: string
  readonly onChange: 'hold' | 'allow'
}

/** What tells an agent what the tool does and how to call it. */
export type PinnedDefinition = Pick<
  UpstreamTool,
  'name' | 'title' | 'description' | 'inputSchema' | 'outputSchema' | 'annotations'
>

const parts = ['name', 'title', 'description', 'inputSchema', 'outputSchema', 'annotations'] as const

export function asPinned(tool: UpstreamTool | JsonObject): PinnedDefinition {
  const given = tool as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    parts.flatMap((part) => (given[part] === undefined ? [] : [[part, given[part]]])),
  ) as unknown as PinnedDefinition
}

const hashes = new WeakMap<PinnedDefinition, string>()

export function hashOf(tool: PinnedDefinition): string {
  let hash = hashes.get(tool)
  if (hash === undefined) {
    hash = sha256(asPinned(tool))
    hashes.set(tool, hash)
  }
  return hash
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

/** Which program is started or which address is called, as the file declares it. */
export function identityOf({ transport }: Pick<UpstreamServer, 'transport'>): string {
  return sha256(
    transport.kind === 'stdio' ? [transport.command, transport.args, transport.cwd] : [transport.url],
  )
}

export function sha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
