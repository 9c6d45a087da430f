/** Which tool a user means: names as people think of them, such as `context7:query-docs`, to those the client uses. */

import type { RuntimeName, RuntimeNames } from '../../findings/explanation.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { claudeTools, canonicalTool, isClaudeTool } from '../rules/builtin-tools.ts'
import { splitToolCall } from './case.ts'
import type { ClaudeSetup, McpServer } from '../setup/setup.ts'
import { meaningOf } from '../rules/named-servers.ts'
import { fullToolName, parseToolName, rewrittenName } from '../rules/tool-names.ts'

export function runtimeNames(setup: ClaudeSetup, asked: string): RuntimeNames {
  const { name, argument } = splitToolCall(asked)
  const found = candidates(setup, name)
  const near = found.length > 0 ? [] : suggestions(setup, name)
  const meant = found.length === 0 && clientsForm.test(name) ? [missing(name, near)] : found
  const names = meant.map(({ name: tool, because }) => ({
    name: argument === undefined ? tool : `${tool}(${argument})`,
    because,
  }))
  return { names, suggestions: near }
}

/** Such a name is taken at its word: that there is no such tool is an answer. */
const clientsForm = /^(?:mcp__.+__.+|[A-Z][A-Za-z]*)$/s

function missing(name: string, near: readonly string[]): RuntimeName {
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
  return { name, because: `There is no such tool here.${hint}` }
}

function candidates(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const own = ownTool(name)
  if (own !== undefined) return [own]
  if (name.startsWith('mcp__')) return ofFullName(setup, name)
  const named = ofServer(setup, name)
  return named.length > 0 ? named : ofKnownTools(setup, name)
}

function ownTool(name: string): RuntimeName | undefined {
  if (isClaudeTool(name)) return { name: canonicalTool(name), because: 'It is a tool of the client itself.' }
  const meant = [...claudeTools, 'Task'].find((tool) => tool.toLowerCase() === name.toLowerCase())
  return meant === undefined
    ? undefined
    : { name: canonicalTool(meant), because: `The client calls its own tool ${canonicalTool(meant)}.` }
}

/** A full name is taken as it stands; where its server is there under another prefix, that is told too. */
function ofFullName(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const server = setup.servers.find(({ prefix }) => name === prefix || name.startsWith(`${prefix}__`))
  if (server !== undefined) {
    // What rules write for all of its tools.
    const whole = name === `${server.prefix}__*` ? server.prefix : name
    return [
      {
        name: whole,
        because: `${whole === server.prefix ? 'These are all tools' : 'It is a tool'} of ${described(server)}.`,
      },
    ]
  }
  const parts = parseToolName(name)
  if (parts?.tool === undefined) return []
  const others = serversNamed(setup, parts.server.replace(/^plugin_/, ''))
  if (others.length === 0) return []
  return [missing(name, []), ...others.map((one) => ofTool(one, parts.tool!))]
}

/** `server:tool`, `server/tool`, `plugin:server:tool`, also with `plugin:` in front. */
function ofServer(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const parts = name.replace(/^plugin[:/]/, '').split(/[:/]|__/)
  if (parts.length < 2) return []
  const tool = parts.at(-1)!
  const server = parts.slice(0, -1)
  return serversNamed(setup, server.join('_')).map((one) => ofTool(one, tool))
}

/** By its own name, by `plugin:server`, or by the plugin's name where it brings one server only. */
function serversNamed(setup: ClaudeSetup, asked: string): readonly McpServer[] {
  const wanted = rewrittenName(asked).toLowerCase()
  const same = (name: string): boolean => rewrittenName(name).toLowerCase() === wanted
  const named = setup.servers.filter(
    ({ name, owner, source }) => same(name) || (source === 'plugin' && same(`${owner}_${name}`)),
  )
  const found =
    named.length > 0
      ? named
      : setup.servers.filter(({ owner, source }) => source === 'plugin' && same(owner ?? ''))
  const running = found.filter(({ off }) => off === undefined)
  // Of those that share a prefix the client asks one.
  const perPrefix = new Map(
    (running.length > 0 ? running : found).toReversed().map((one) => [one.prefix, one]),
  )
  return [...perPrefix.values()].toReversed()
}

function ofTool(server: McpServer, tool: string): RuntimeName {
  return {
    name: tool === '*' ? server.prefix : fullToolName(server.prefix, tool),
    because: `${capital(described(server))}${server.off === undefined ? '' : ','} names its tools ${server.prefix}__….`,
  }
}

/** A tool by its name alone, where servers are known to have it, or rules, agents and skills say they do. */
function ofKnownTools(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const wanted = rewrittenName(name)
  const written = new Set(
    writtenNames(setup).flatMap((text) => {
      const meaning = meaningOf(setup, text)
      return meaning !== undefined && 'servers' in meaning && meaning.tool === wanted ? meaning.servers : []
    }),
  )
  return setup.servers
    .filter(
      (server) =>
        server.off === undefined &&
        (server.tools?.some((tool) => rewrittenName(tool) === wanted) ?? written.has(server)),
    )
    .map((server) => ofTool(server, name))
}

/** Names of tools of servers, as people wrote them down. */
function writtenNames({ settings, agents, skills }: ClaudeSetup): string[] {
  const entries = [
    ...settings.flatMap(({ rules }) => rules),
    ...agents.flatMap(({ tools = [], disallowedTools = [] }) => [...tools, ...disallowedTools]),
    ...skills.flatMap(({ allowedTools = [], disallowedTools = [] }) => [...allowedTools, ...disallowedTools]),
  ]
  const names = entries.map(({ text }) => text.replace(/\(.*$/s, '').trim())
  return [...new Set(names)].filter((name) => name.startsWith('mcp__'))
}

function described({ source, name, owner, off }: McpServer): string {
  const state = off === undefined ? '' : ', which does not run'
  if (source === 'plugin') return `the server ${name} of the plugin ${owner}${state}`
  return source === 'agent'
    ? `the server ${name} of the agent ${owner}${state}`
    : `the server ${name} (${source})${state}`
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function suggestions(setup: ClaudeSetup, name: string): readonly string[] {
  const tools = setup.servers.flatMap(({ prefix, tools: known = [] }) =>
    known.map((tool) => fullToolName(prefix, tool)),
  )
  const parts = name.replace(/^mcp__(?:plugin_)?/, '').split(/[:/]|__/)
  const servers = new Map(setup.servers.map((server) => [server.name, server]))
  const near = nearest(parts[0]!, [...servers.keys()])
  const ofNear =
    near === undefined || parts.length < 2 ? [] : [fullToolName(servers.get(near)!.prefix, parts.at(-1)!)]
  // The name of a server, without that of a tool.
  const ofServers = serversNamed(setup, name).map(({ prefix }) => `${prefix}__<tool>`)
  const own = nearest(name, claudeTools)
  const full = nearest(name, tools)
  const ends = tools.filter((tool) => tool.endsWith(`__${rewrittenName(parts.at(-1)!)}`))
  return [
    ...new Set([
      ...ofServers,
      ...ofNear,
      ...(full === undefined ? [] : [full]),
      ...ends,
      ...(own === undefined ? [] : [own]),
    ]),
  ]
}
