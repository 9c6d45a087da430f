/**
 * Which server a name means that somebody wrote down: the one that has it, or one that has it under another prefix. The
 * names are those of rules, agents and documents, without parentheses: `mcp__context7__query-docs`, `plugin:broker:ctx`.
 */

import { isOneSlipOff, nearestAmong } from '@contextd/shared/text/nearest'
import { groupBy } from '../../findings/group-by.ts'
import { oncePer } from '@contextd/shared/once'
import type { ClaudeSetup, McpServer } from '../setup/setup.ts'
import { parseToolName, rewrittenName } from './tool-names.ts'

export type Meaning =
  | { readonly kind: 'there'; readonly servers: Servers; readonly tool?: string }
  /** It would be there if it were written as the client writes it. */
  | { readonly kind: 'rewritten'; readonly servers: Servers; readonly tool?: string }
  /** No server has this prefix, but these have the name under theirs. */
  | { readonly kind: 'elsewhere'; readonly servers: Servers; readonly tool?: string }
  /** `mcp__*`, `mcp__git*`: a pattern for servers. */
  | { readonly kind: 'pattern' }
  /** `nearest` is the prefix that may have been meant; `isSlip` where only case, dashes or underscores differ. */
  | { readonly kind: 'unknown'; readonly nearest?: string; readonly isSlip?: boolean }

type Servers = readonly [McpServer, ...McpServer[]]

/**
 * Servers that no file names: those the client, its editors and its browsers bring, connectors of the account, and those
 * of the vendor's GitHub Action.
 */
const broughtAlong =
  /^(?:ide|claude[-_]in[-_]chrome|claude[-_](?:browser|preview|device)|computer-use|remote-devices|plugin-authoring|workspace|claude_ai_.*|github_(?:inline_comment|comment|ci|file_ops))$/i

/** Undefined for what is no name of a server, or of one that nothing is known of. `agent`: who wrote it, who alone has the servers it defines in place. */
export function meaningOf(setup: ClaudeSetup, name: string, agent?: string): Meaning | undefined {
  const index = indexOf(setup)
  const isHere = (server: McpServer): boolean =>
    agent === undefined || server.source !== 'agent' || server.owner === agent
  const pick = (servers: readonly McpServer[] = []): Servers | undefined => some(servers.filter(isHere))

  const called = pick(index.byFullName.get(name))
  if (called?.[0].source === 'plugin') return { kind: 'elsewhere', servers: called }
  if (!name.startsWith('mcp__')) return undefined
  const clean = name.replaceAll(/[^A-Za-z0-9_*-]/g, '_')
  const parts = split(index, clean)
  if (parts === undefined) return { kind: 'unknown' }
  if (parts.server.includes('*')) return { kind: 'pattern' }
  if (broughtAlong.test(parts.server) || index.mayBring(parts.server)) return undefined

  const { tool } = parts
  const withTool = { ...(tool !== undefined && { tool }) }
  const own = pick(index.byPrefix.get(parts.prefix))
  const isRunning = own?.some(({ off }) => off === undefined)
  const others = isRunning ? undefined : pick(otherwise(index, parts.server))
  if (others !== undefined) return { kind: 'elsewhere', servers: others, ...withTool }
  if (own !== undefined) return { kind: clean === name ? 'there' : 'rewritten', servers: own, ...withTool }
  const slip = index.byLooseName.get(loosely(parts.server))
  const isSlip = slip !== undefined
  const near = slip ?? index.nearest(parts.server)
  // Where the client is not used, as on a build machine, nobody knows the servers of the user; but a slip is one there too.
  if (!setup.isUsed && !isSlip && (near === undefined || !isOneSlipOff(parts.server, near))) return undefined
  return { kind: 'unknown', ...(near !== undefined && { nearest: mark + near, isSlip }) }
}

/** The names under which the client has what was meant. */
export function runtimeForms(servers: Servers, tool: string | undefined): string[] {
  return servers.map(({ prefix }) => (tool === undefined ? prefix : `${prefix}__${tool}`))
}

/** The server in a name, as it is written. */
export function serverPart(name: string): string {
  return parseToolName(name)?.server ?? name
}

/** Whether it is known that none of these servers has the tool; what to write instead, where one is nearly called that. */
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

/** Where a server comes from, as the end of a sentence about it. */
export function origin({ source, owner, name }: McpServer): string {
  if (source === 'plugin') return `comes from the plugin \`${owner}\``
  if (source === 'agent') return `is defined in the agent \`${owner}\``
  return `is set up on its own as \`${name}\``
}

interface Index {
  readonly byPrefix: ReadonlyMap<string, readonly McpServer[]>
  readonly byName: ReadonlyMap<string, readonly McpServer[]>
  readonly byFullName: ReadonlyMap<string, readonly McpServer[]>
  readonly byPlugin: ReadonlyMap<string, readonly McpServer[]>
  /** Whether a plugin that cannot be read here may bring the server. */
  readonly mayBring: (server: string) => boolean
  /** What the prefixes of servers end with, by how it reads without case, dashes and underscores. */
  readonly byLooseName: ReadonlyMap<string, string>
  /** The same of the one that is nearly called that. */
  readonly nearest: (server: string) => string | undefined
}

const indexOf = oncePer((setup: ClaudeSetup): Index => {
  const running = setup.servers.filter(({ off }) => off === undefined)
  const shared = setup.servers.filter(({ source }) => source !== 'agent')
  const names = Array.from(new Set(shared.map(({ prefix }) => prefix.slice(mark.length))))
  const missing = setup.missingPlugins.map(rewrittenName)
  const plugins = running.filter(({ source }) => source === 'plugin')
  return {
    byPrefix: groupBy(setup.servers, ({ prefix }) => prefix),
    byName: groupBy(running, ({ name }) => rewrittenName(name)),
    byFullName: groupBy(running, ({ fullName }) => fullName),
    byPlugin: groupBy(plugins, ({ owner = '' }) => rewrittenName(owner)),
    mayBring: (server: string) => missing.some((plugin) => `${server}_`.startsWith(`plugin_${plugin}_`)),
    byLooseName: new Map(names.toReversed().map((name) => [loosely(name), name])),
    nearest: nearestAmong(names),
  }
})

interface Parts {
  readonly prefix: string
  readonly server: string
  readonly tool?: string
}

/** Nobody writes longer ones, and looking for servers at each double underscore takes its time. */
const longest = 500

function split(index: Index, name: string): Parts | undefined {
  if (index.byPrefix.has(name)) return { prefix: name, server: name.slice(mark.length) }
  // A server may have a double underscore in its own name.
  for (let at = name.lastIndexOf('__'); at > mark.length && name.length <= longest;) {
    const prefix = name.slice(0, at)
    if (index.byPrefix.has(prefix))
      return { prefix, server: prefix.slice(mark.length), tool: name.slice(at + 2) }
    at = name.lastIndexOf('__', at - 1)
  }
  return parseToolName(name)
}

const mark = 'mcp__'

/** By the server's own name, behind a plugin's or without one; or by the name of the plugin alone. */
function otherwise(index: Index, server: string): readonly McpServer[] | undefined {
  const rest = server.startsWith('plugin_') ? server.slice('plugin_'.length) : undefined
  const names = [server, ...(rest === undefined || rest.length > longest ? [] : endings(rest))]
  const named = names.map((name) => index.byName.get(name)).find((servers) => servers !== undefined)
  return named ?? index.byPlugin.get(rest ?? server)
}

/** What may be the server in `<plugin>_<server>`: either may have underscores of its own. */
function endings(name: string): string[] {
  return Array.from(name.matchAll(/_(?=.)/gs), ({ index }) => name.slice(index + 1))
}

function loosely(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

function some<Item>(items: readonly Item[]): readonly [Item, ...Item[]] | undefined {
  const [first, ...others] = items
  return first === undefined ? undefined : [first, ...others]
}
