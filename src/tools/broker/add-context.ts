/** Adds an entry to a context map and preserves every other byte. Pure. */

import { relative, sep } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { putValue, tomlValue } from '../../platform/config/edit-config.ts'
import { parseContextMap, type ContextEntry, type MapLocation } from './context-map.ts'

export interface NewContext {
  readonly key: string
  /** Absolute. */
  readonly file: string
  readonly agents: readonly string[]
  readonly require?: ContextEntry['require'] | undefined
}

export interface AddedContext {
  readonly text: string
  readonly entry: ContextEntry
  /** Whether an attested agent gets it without a key: only if no other context is assigned to the same agent. */
  readonly needsNoKey: boolean
}

/** Throws USAGE for an existing key. `before` must have been parsed without problems. */
export function addContext(before: string, added: NewContext, place: MapLocation): AddedContext {
  const { base, entries } = parseContextMap(before, place)
  if (entries.some(({ key }) => key === added.key)) {
    throw new ContextdError('USAGE', { problem: 'this key is already in the map' })
  }
  const text = putValue(before, 'keys', added.key, valueOf(added, { base, home: place.home }))
  const after = parseContextMap(text, place)
  const entry = after.entries.find(({ key }) => key === added.key)
  const isWhole = after.problems.length === 0 && after.entries.length === entries.length + 1
  if (entry?.file !== added.file || !isWhole) {
    const problem = 'is written in a way that nothing can be added to; write the entry by hand'
    throw new ContextdError('CONTEXT_MAP_INVALID', { problem })
  }
  const isTaken = entries.some(({ agents }) => agents.some((agent) => added.agents.includes(agent)))
  return { text, entry, needsNoKey: entry.agents.length > 0 && !isTaken }
}

function valueOf(
  { file, agents, require }: NewContext,
  { base, home }: { base: string; home: string },
): string {
  const path = tomlValue(below(base, file) ?? homePath(home, file) ?? file)
  if (agents.length === 0 && require === undefined) return path
  const fields = [
    `path = ${path}`,
    ...(agents.length > 0 ? [`agents = ${tomlValue([...agents])}`] : []),
    ...(require === undefined ? [] : [`require = ${tomlValue(require)}`]),
  ]
  return `{ ${fields.join(', ')} }`
}

/** Undefined if the file is not below the folder. */
function below(folder: string, file: string): string | undefined {
  const path = relative(folder, file)
  // A path that starts with a tilde would refer to the home folder.
  return path.startsWith('..') || path.startsWith(sep) || path.startsWith('~') ? undefined : path
}

function homePath(home: string, file: string): string | undefined {
  const path = below(home, file)
  return path === undefined ? undefined : `~/${path}`
}
