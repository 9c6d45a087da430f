/** Servers that an agent lists by name. */

import { isJsonObject } from '@contextd/shared/json/value'
import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { nearestAmong } from '@contextd/shared/text/nearest'
import type { AgentFile, ClaudeSetup, Entry, McpServer } from '../../setup/setup.ts'
import { rewriteName } from './entries.ts'

const serverName: LintRule<ClaudeSetup> = {
  id: 'agent-server-name',
  severity: 'warning',
  title: "An agent's `mcpServers:` names an unknown server",
  why: `In \`mcpServers:\` an agent defines its own servers, or names servers that are configured elsewhere. The name of a plugin server is \`plugin:<plugin>:<server>\`; its short name matches nothing, and the client does not report that. (Even with the correct name, an entry adds nothing that the conversation does not have: see \`agent-server-reference\`.)

Write the full name, and in \`tools:\` the runtime names of its tools: \`mcp__plugin_<plugin>_<server>__*\`.`,
  *check(setup) {
    const shared = setup.servers.filter(({ source }) => source !== 'agent')
    const names = new Set(shared.map(({ fullName }) => fullName))
    const plugins = new Map(shared.filter(isFromPlugin).map((server) => [server.name, server]))
    const nearestName = nearestAmong(Array.from(names))
    for (const { agent, entry } of references(setup)) {
      if (names.has(entry.text)) continue
      const plugin = plugins.get(entry.text)
      if (plugin !== undefined) yield shortName(agent, entry, plugin)
      else if (isKnownMissing(setup, agent, entry, nearestName))
        yield unknown(agent, entry, nearestName(entry.text))
    }
  },
}

const serverReference: LintRule<ClaudeSetup> = {
  id: 'agent-server-reference',
  severity: 'warning',
  title: "An agent's `mcpServers:` names servers, which restricts nothing",
  why: `A list of names in \`mcpServers:\` looks as if the agent had these servers and no others. It has no effect: an agent without \`tools:\` has every server of the conversation. Only servers defined in the list itself (\`- name: { command: … }\`) have an effect: they exist for this agent alone. If \`mcpServers:\` is a map instead of a list, the client ignores all of it.

To restrict an agent, use \`tools:\`; \`mcp__<server>__*\` means all tools of a server.`,
  *check(setup) {
    const seen = new Set<AgentFile>()
    for (const { agent, entry } of references(setup)) {
      if (agent.tools !== undefined || seen.has(agent)) continue
      seen.add(agent)
      yield {
        ...placeOf(entry),
        message: `\`${agent.name}\` names \`${entry.text}\` in \`mcpServers:\`, but still has every other server.`,
        fix: 'List the tools it may have in `tools:`, such as `mcp__<server>__*`.',
      }
    }
    for (const { name, source, keys, frontmatter } of setup.agents) {
      const key = keys.get('mcpServers')
      if (key === undefined || source === 'plugin' || !isJsonObject(frontmatter.mcpServers)) continue
      yield {
        ...placeOf(key),
        message: `The client ignores \`mcpServers:\` of \`${name}\`: it must be a list.`,
        fix: 'Write a `-` before each server.',
      }
    }
  },
}

/** Names of servers that are configured elsewhere. The client ignores the key in plugin agents. */
function* references({ agents, servers }: ClaudeSetup): Iterable<{ agent: AgentFile; entry: Entry }> {
  const defined = new Set(servers.filter(isInline).map(({ owner, name }) => `${owner}\0${name}`))
  for (const agent of agents) {
    if (agent.source === 'plugin') continue
    for (const entry of agent.mcpServers ?? [])
      if (!defined.has(`${agent.name}\0${entry.text}`)) yield { agent, entry }
  }
}

/** False if the server may come from a missing plugin, from the user's settings on another machine, or from another project. */
function isKnownMissing(
  { isUsed, missingPlugins }: ClaudeSetup,
  { source }: AgentFile,
  { text }: Entry,
  nearestName: (name: string) => string | undefined,
): boolean {
  if (!isUsed || missingPlugins.some((plugin) => text.startsWith(`plugin:${plugin}:`))) return false
  return source !== 'user' || nearestName(text) !== undefined
}

function unknown(agent: AgentFile, entry: Entry, near: string | undefined): FindingDetails {
  return {
    ...placeOf(entry),
    message: `\`${entry.text}\` in \`mcpServers:\` of \`${agent.name}\` matches nothing: no MCP server here has this name.`,
    fix:
      near === undefined
        ? 'Configure the server, or remove the name.'
        : `Write \`${near}\` if that is meant.`,
  }
}

function shortName(agent: AgentFile, entry: Entry, { owner, fullName }: McpServer): FindingDetails {
  return {
    ...placeOf(entry),
    message: `\`${entry.text}\` in \`mcpServers:\` of \`${agent.name}\` matches nothing: the server comes from the plugin \`${owner}\` and is called \`${fullName}\`.`,
    fix: `Write \`${fullName}\`.`,
    ...rewriteName(agent, entry, fullName),
  }
}

function isFromPlugin({ source, off }: McpServer): boolean {
  return source === 'plugin' && off === undefined
}

function isInline({ source }: McpServer): boolean {
  return source === 'agent'
}

export const agentServerRules: readonly LintRule<ClaudeSetup>[] = [serverName, serverReference]
