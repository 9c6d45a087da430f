/** Entries of `allow` that other entries make ineffective. */

import { compileStars } from '@contextd/shared/text/wildcard'
import { CONTROL_SERVER, OWN_SERVER } from '../../../core/call.ts'
import { isWildcard } from '../../../platform/glob.ts'
import { formatRulePath } from '../rule-path.ts'
import type { AgentToCheck, FoundMistake } from './rule-mistakes.ts'

/** An entry of a list: its server pattern, its tool pattern, and its place. */
interface Entry {
  readonly server: string
  readonly item: string
  readonly path: FoundMistake['path']
}

const anyItem = '*'

export function shadowedRules({ id, agent: { allow = {}, deny = {} } }: AgentToCheck): FoundMistake[] {
  const serversOf = (access: typeof allow, effect: 'allow' | 'deny'): Entry[] =>
    (access.servers ?? []).map((server, index) => ({
      server,
      item: anyItem,
      path: ['agents', id, effect, 'servers', index],
    }))
  const itemsOf = (access: typeof allow, effect: 'allow' | 'deny', kind: Kind): Entry[] =>
    Object.entries(access[kind] ?? {}).flatMap(([server, items]) =>
      items.map((item, index) => ({ server, item, path: ['agents', id, effect, kind, server, index] })),
    )
  const deniedServers = serversOf(deny, 'deny')
  const allowedServers = serversOf(allow, 'allow')
  const ofServers = allowedServers.flatMap(
    (entry, index) => shadowedBy(entry, deniedServers, 'denies') ?? widerThan(allowedServers, index) ?? [],
  )
  const ofItems = kinds.flatMap((kind) => {
    const denied = [...deniedServers, ...itemsOf(deny, 'deny', kind)]
    const allowed = itemsOf(allow, 'allow', kind)
    return allowed.flatMap(
      (entry, index) =>
        shadowedBy(entry, denied, 'denies') ??
        unreachable(entry, allowedServers, id) ??
        widerThan(allowed, index) ??
        [],
    )
  })
  return [...ofServers, ...ofItems]
}

const kinds = ['tools', 'prompts', 'resources'] as const
type Kind = (typeof kinds)[number]

/** Of two equal entries, the second is reported. */
function widerThan(entries: readonly Entry[], index: number): FoundMistake | undefined {
  const entry = entries[index]!
  const isEqual = ({ server, item }: Entry): boolean => server === entry.server && item === entry.item
  // No wildcard stands for these: naming ours replaces its built-in rules, and `control` is allowed by name only.
  const isOnlyByName = entry.server === OWN_SERVER || entry.server === CONTROL_SERVER
  const others = entries.filter(
    (other, at) =>
      (at < index || (at > index && !isEqual(other))) && !(isOnlyByName && other.server !== entry.server),
  )
  return shadowedBy(entry, others, 'allows')
}

function shadowedBy(
  { server, item, path }: Entry,
  others: readonly Entry[],
  how: 'allows' | 'denies',
): FoundMistake | undefined {
  const wider = others.find((other) => covers(other.server, server) && covers(other.item, item))
  if (wider === undefined) return undefined
  return {
    path,
    part: 'value',
    message: `${JSON.stringify(path[3] === 'servers' ? server : item)} has no effect: ${formatRulePath(wider.path)} ${how} all of it`,
    fix: how === 'denies' ? 'Remove one of the two.' : 'Remove it, or the wider entry.',
  }
}

/** A list of tools matters only on servers that `allow.servers` lets through. */
function unreachable(
  { server, item, path }: Entry,
  allowed: readonly Entry[],
  id: string,
): FoundMistake | undefined {
  if (allowed.some((entry) => covers(entry.server, server) || covers(server, entry.server))) return undefined
  if (isWildcard(server) && allowed.some((entry) => isWildcard(entry.server))) return undefined
  const list = formatRulePath(['agents', id, 'allow', 'servers'])
  return {
    path,
    part: 'value',
    message: `${JSON.stringify(item)} has no effect: ${list} does not allow the server ${JSON.stringify(server)}`,
    fix: `Add ${JSON.stringify(server)} to ${list}.`,
  }
}

/** Whether every name that `narrow` matches is also matched by `wide`; both have at most one `*`, at an end. */
function covers(wide: string, narrow: string): boolean {
  if (wide === '*' || wide === narrow) return true
  if (!isWildcard(wide)) return false
  if (!isWildcard(narrow)) return compileStars(wide)(narrow)
  return wide.endsWith('*') === narrow.endsWith('*') && compileStars(wide)(narrow.replace('*', ''))
}
