/**
 * Resolves server names written in rules, agents and documents, without parentheses: `mcp__context7__query-docs`,
 * `plugin:broker:ctx`. A name may belong to a server with another prefix.
 */

import { isOneTypoAway, nearestAmong } from '@contextd/shared/text/nearest'
import { groupBy } from '../../findings/group-by.ts'
import { oncePer } from '@contextd/shared/once'
import type { ClaudeSetup, McpServer } from '../setup/setup.ts'
import { parseToolName, rewrittenName } from './tool-names.ts'

export type Meaning =
  | { readonly kind: 'there'; readonly servers: Servers; readonly tool?: string }
  /** Matches once its characters are replaced as the client does. */
  | { readonly kind: 'rewritten'; readonly servers: Servers; readonly tool?: string }
  /** No server has this prefix, but these have the name under another prefix. */
  | { readonly kind: 'elsewhere'; readonly servers: Servers; readonly tool?: string }
  /** `mcp__*`, `mcp__git*`: a pattern for servers. */
  | { readonly kind: 'pattern' }
  /** `nearest`: the prefix probably intended; `isSlip`: only case, dashes or underscores differ. */
  | { readonly kind: 'unknown'; readonly nearest?: string; readonly isSlip?: boolean }

type Servers = readonly [McpServer, ...McpServer[]]

/**
 * Servers that are not configured in files: those of the client, its editor and browser integrations, account
 * connectors, and those of the vendor's GitHub Action.
 */
const builtinServers =
  /^(?:ide|claude[-_]in[-_]chrome|claude[-_](?:browser|preview|device)|computer-use|remote-devices|plugin-authoring|workspace|claude_ai_.*|github_(?:inline_comment|comment|ci|file_ops))$/i

/** Undefined if it is not a server name, or nothing is known about the server. `agent`: the agent that wrote it, since servers defined in an agent are visible to it only. */
export function meaningOf(setup: ClaudeSetup, name: string, agent?: string): Meaning | undefined {
  const index = indexOf(setup)
  const isHere = (server: McpServer): boolean =>
    agent === undefined || server.source !== 'agent' || server.owner === agent
  const pick = (servers: readonly McpServer[] = []): Servers | undefined => nonEmpty(servers.filter(isHere))

  const byFullName = pick(index.byFullName.get(name))
  if (byFullName?.[0].source === 'plugin') return { kind: 'elsewhere', servers: byFullName }
  if (!name.startsWith('mcp__')) return undefined
  const clean = name.replaceAll(/[^A-Za-z0-9_*-]/g, '_')
  const parts = split(index, clean)
  if (parts === undefined) return { kind: 'unknown' }
  if (parts.server.includes('*')) return { kind: 'pattern' }
  if (builtinServers.test(parts.server) || index.mayBring(parts.server)) return undefined

  const { tool } = parts
  const withTool = { ...(tool !== undefined && { tool }) }
  const own = pick(index.byPrefix.get(parts.prefix))
  const isRunning = own?.some(({ off }) => off === undefined)
  const others = isRunning ? undefined : pick(serversElsewhere(index, parts.server))
  if (others !== undefined) return { kind: 'elsewhere', servers: others, ...withTool }
  if (own !== undefined) return { kind: clean === name ? 'there' : 'rewritten', servers: own, ...withTool }
  const slip = index.byLooseName.get(looseName(parts.server))
  const isSlip = slip !== undefined
  const near = slip ?? index.nearest(parts.server)
  // Without a user profile, as on a CI machine, the user's servers are unknown, so only likely typos are reported.
  if (!setup.isUsed && !isSlip && (near === undefined || !isOneTypoAway(parts.server, near))) return undefined
  return { kind: 'unknown', ...(near !== undefined && { nearest: mcpPrefix + near, isSlip }) }
}

/** The client's names for a server or tool. */
export function runtimeForms(servers: Servers, tool: string | undefined): string[] {
  return servers.map(({ prefix }) => (tool === undefined ? prefix : `${prefix}__${tool}`))
}

/** The server part of a name, as written. */
export function serverPart(name: string): string {
  return parseToolName(name)?.server ?? name
}

/** If all of these servers are known to lack the tool: the first server, with its most similar tool name. */
export function missingTool(
  servers: Servers,
  tool: string | undefined,
): { readonly server: McpServer; readonly nearest?: string } | undefined {
  if (tool === undefined || tool.includes('*')) return undefined
  if (!servers.every((server) => namesOfTools(server)?.has(tool) === false)) return undefined
  const [server] = servers
  const near = nearestTool(server)(tool)
  return { server, ...(near !== undefined && { nearest: `${server.prefix}__${near}` }) }
}

const namesOfTools = oncePer(({ tools }: McpServer) => tools && new Set(tools.map(rewrittenName)))
const nearestTool = oncePer(({ tools = [] }: McpServer) => nearestAmong(tools.map(rewrittenName)))

/** Where a server comes from, as a predicate for a sentence about it. */
export function origin({ source, owner, name }: McpServer): string {
  if (source === 'plugin') return `comes from the plugin \`${owner}\``
  if (source === 'agent') return `is defined in the agent \`${owner}\``
  return `is configured separately as \`${name}\``
}

interface Index {
  readonly byPrefix: ReadonlyMap<string, readonly McpServer[]>
  readonly byName: ReadonlyMap<string, readonly McpServer[]>
  readonly byFullName: ReadonlyMap<string, readonly McpServer[]>
  readonly byPlugin: ReadonlyMap<string, readonly McpServer[]>
  /** Whether a plugin that is not installed here may provide the server. */
  readonly mayBring: (server: string) => boolean
  /** Server parts of the prefixes, keyed by their form without case, dashes and underscores. */
  readonly byLooseName: ReadonlyMap<string, string>
  /** The most similar server part. */
  readonly nearest: (server: string) => string | undefined
}

const indexOf = oncePer((setup: ClaudeSetup): Index => {
  const running = setup.servers.filter(({ off }) => off === undefined)
  const shared = setup.servers.filter(({ source }) => source !== 'agent')
  const names = Array.from(new Set(shared.map(({ prefix }) => prefix.slice(mcpPrefix.length))))
  const missing = setup.missingPlugins.map(rewrittenName)
  const plugins = running.filter(({ source }) => source === 'plugin')
  return {
    byPrefix: groupBy(setup.servers, ({ prefix }) => prefix),
    byName: groupBy(running, ({ name }) => rewrittenName(name)),
    byFullName: groupBy(running, ({ fullName }) => fullName),
    byPlugin: groupBy(plugins, ({ owner = '' }) => rewrittenName(owner)),
    mayBring: (server: string) => missing.some((plugin) => `${server}_`.startsWith(`plugin_${plugin}_`)),
    byLooseName: new Map(names.toReversed().map((name) => [looseName(name), name])),
    nearest: nearestAmong(names),
  }
})

interface Parts {
  readonly prefix: string
  readonly server: string
  readonly tool?: string
}

/** Limits the time for splitting at each double underscore; real names are much shorter. */
const maxNameLength = 500

function split(index: Index, name: string): Parts | undefined {
  if (index.byPrefix.has(name)) return { prefix: name, server: name.slice(mcpPrefix.length) }
  // A server may have a double underscore in its own name.
  for (let at = name.lastIndexOf('__'); at > mcpPrefix.length && name.length <= maxNameLength;) {
    const prefix = name.slice(0, at)
    if (index.byPrefix.has(prefix))
      return { prefix, server: prefix.slice(mcpPrefix.length), tool: name.slice(at + 2) }
    at = name.lastIndexOf('__', at - 1)
  }
  return parseToolName(name)
}

const mcpPrefix = 'mcp__'

/** Finds servers by their own name, with or without a plugin's before it, or by the plugin's name. */
function serversElsewhere(index: Index, server: string): readonly McpServer[] | undefined {
  const rest = server.startsWith('plugin_') ? server.slice('plugin_'.length) : undefined
  const names = [server, ...(rest === undefined || rest.length > maxNameLength ? [] : suffixes(rest))]
  const named = names.map((name) => index.byName.get(name)).find((servers) => servers !== undefined)
  return named ?? index.byPlugin.get(rest ?? server)
}

/** Possible server parts of `<plugin>_<server>`, since both names may contain underscores. */
function suffixes(name: string): string[] {
  return Array.from(name.matchAll(/_(?=.)/gs), ({ index }) => name.slice(index + 1))
}

function looseName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

function nonEmpty<Item>(items: readonly Item[]): readonly [Item, ...Item[]] | undefined {
  const [first, ...others] = items
  return first === undefined ? undefined : [first, ...others]
}
