/** The parts of a tool's definition that are pinned, and their hash. */

import { createHash } from 'node:crypto'

import { canonicalJson, type JsonObject } from '@contextd/shared/json/value'
import type { UpstreamTool } from './definition.ts'

/** The owner of pins: servers of the same name in different projects have separate pins. */
export interface PinOwner {
  /** The project folder for servers in its file; empty for servers in the user's file. */
  readonly project: string
  readonly server: string
}

export interface PinnedServer extends PinOwner {
  /** Hash of the program or URL. */
  readonly identity: string
  readonly onChange: 'hold' | 'allow'
}

/** What agents learn about a tool. */
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

export function sha256(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex')
}
