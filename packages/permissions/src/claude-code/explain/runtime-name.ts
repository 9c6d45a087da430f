/** Resolves the names that users type, such as `context7:query-docs`, to the client's tool names. */

import type { RuntimeName, RuntimeNames } from '../../findings/explanation.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { claudeTools, canonicalTool, isClaudeTool } from '../rules/builtin-tools.ts'
import { splitToolCall } from './case.ts'
import type { ClaudeSetup, McpServer } from '../setup/setup.ts'
import { meaningOf } from '../rules/named-servers.ts'
import { fullToolName, parseToolName, rewrittenName } from '../rules/tool-names.ts'

export function runtimeNames(setup: ClaudeSetup, query: string): RuntimeNames {
  const { name, argument } = splitToolCall(query)
  const matches = candidates(setup, name)
  const near = matches.length > 0 ? [] : suggestions(setup, name)
  const resolved = matches.length === 0 && fullNameForm.test(name) ? [missing(name, near)] : matches
  const names = resolved.map(({ name: tool, because }) => ({
    name: argument === undefined ? tool : `${tool}(${argument})`,
    because,
  }))
  return { names, suggestions: near }
}

/** A name in the client's own form is kept even if unknown: "no such tool" is a valid answer. */
const fullNameForm = /^(?:mcp__.+__.+|[A-Z][A-Za-z]*)$/s

function missing(name: string, near: readonly string[]): RuntimeName {
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(' or ')}?`
  return { name, because: `No such tool here.${hint}` }
}

function candidates(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const tool = builtinTool(name)
  if (tool !== undefined) return [tool]
  if (name.startsWith('mcp__')) return ofFullName(setup, name)
  const named = ofServer(setup, name)
  return named.length > 0 ? named : ofKnownTools(setup, name)
}

function builtinTool(name: string): RuntimeName | undefined {
  if (isClaudeTool(name))
    return { name: canonicalTool(name), because: 'It is a built-in tool of the client.' }
  const match = [...claudeTools, 'Task'].find((tool) => tool.toLowerCase() === name.toLowerCase())
  return match === undefined
    ? undefined
    : {
        name: canonicalTool(match),
        because: `The client's name for this built-in tool is ${canonicalTool(match)}.`,
      }
}

/** A full name is used as it is; if its server exists under another prefix, that name is suggested as well. */
function ofFullName(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const server = setup.servers.find(({ prefix }) => name === prefix || name.startsWith(`${prefix}__`))
  if (server !== undefined) {
    // Rules use the bare prefix for all tools of a server.
    const fullName = name === `${server.prefix}__*` ? server.prefix : name
    return [
      {
        name: fullName,
        because: `${fullName === server.prefix ? 'These are all tools' : 'It is a tool'} of ${described(server)}.`,
      },
    ]
  }
  const parts = parseToolName(name)
  if (parts?.tool === undefined) return []
  const others = serversNamed(setup, parts.server.replace(/^plugin_/, ''))
  if (others.length === 0) return []
  return [missing(name, []), ...others.map((one) => ofTool(one, parts.tool!))]
}

/** `server:tool`, `server/tool`, `plugin:server:tool`, optionally prefixed with `plugin:`. */
function ofServer(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const parts = name.replace(/^plugin[:/]/, '').split(/[:/]|__/)
  if (parts.length < 2) return []
  const tool = parts.at(-1)!
  const server = parts.slice(0, -1)
  return serversNamed(setup, server.join('_')).map((one) => ofTool(one, tool))
}

/** Matches the server's name or `plugin:server`; failing that, the name of the plugin. */
function serversNamed(setup: ClaudeSetup, query: string): readonly McpServer[] {
  const wanted = rewrittenName(query).toLowerCase()
  const same = (name: string): boolean => rewrittenName(name).toLowerCase() === wanted
  const named = setup.servers.filter(
    ({ name, owner, source }) => same(name) || (source === 'plugin' && same(`${owner}_${name}`)),
  )
  const matches =
    named.length > 0
      ? named
      : setup.servers.filter(({ owner, source }) => source === 'plugin' && same(owner ?? ''))
  const running = matches.filter(({ off }) => off === undefined)
  // The client calls only one of the servers that share a prefix.
  const perPrefix = new Map(
    (running.length > 0 ? running : matches).toReversed().map((one) => [one.prefix, one]),
  )
  return [...perPrefix.values()].toReversed()
}

function ofTool(server: McpServer, tool: string): RuntimeName {
  return {
    name: tool === '*' ? server.prefix : fullToolName(server.prefix, tool),
    because: `${capital(described(server))}${server.off === undefined ? '' : ','} names its tools ${server.prefix}__….`,
  }
}

/** Resolves a bare tool name to servers that list the tool or that rules, agents and skills name it for. */
function ofKnownTools(setup: ClaudeSetup, name: string): readonly RuntimeName[] {
  const wanted = rewrittenName(name)
  const namedFor = new Set(
    writtenNames(setup).flatMap((text) => {
      const meaning = meaningOf(setup, text)
      return meaning !== undefined && 'servers' in meaning && meaning.tool === wanted ? meaning.servers : []
    }),
  )
  return setup.servers
    .filter(
      (server) =>
        server.off === undefined &&
        (server.tools?.some((tool) => rewrittenName(tool) === wanted) ?? namedFor.has(server)),
    )
    .map((server) => ofTool(server, name))
}

/** MCP tool names as written in rules, agents and skills. */
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
  const state = off === undefined ? '' : ', which is not running'
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
  // The query may be the name of a server only.
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
