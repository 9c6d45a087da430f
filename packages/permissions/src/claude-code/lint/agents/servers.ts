/** Servers that an agent asks for by name. */

import { isJsonObject } from '@contextd/shared/json/value'
import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import { nearestAmong } from '@contextd/shared/text/nearest'
import type { AgentFile, ClaudeSetup, Entry, McpServer } from '../../setup/setup.ts'
import { rewriteName } from './entries.ts'

const serverName: LintRule<ClaudeSetup> = {
  id: 'agent-server-name',
  severity: 'warning',
  title: "An agent's `mcpServers:` names an unknown server",
  why: `In \`mcpServers:\` an agent defines servers of its own, or names some that are set up elsewhere. A plugin server is called \`plugin:<plugin>:<server>\`; its short name matches nothing, and the client does not report that. (By any name an entry gives the agent nothing that the conversation does not have: see \`agent-server-reference\`.)

Write the full name, and in \`tools:\` the names its tools have: \`mcp__plugin_<plugin>_<server>__*\`.`,
  *check(setup) {
    const shared = setup.servers.filter(({ source }) => source !== 'agent')
    const names = new Set(shared.map(({ fullName }) => fullName))
    const plugins = new Map(shared.filter(isFromPlugin).map((server) => [server.name, server]))
    const meant = nearestAmong(Array.from(names))
    for (const { agent, entry } of references(setup)) {
      if (names.has(entry.text)) continue
      const plugin = plugins.get(entry.text)
      if (plugin !== undefined) yield shortName(agent, entry, plugin)
      else if (isKnownToMiss(setup, agent, entry, meant)) yield unknown(agent, entry, meant(entry.text))
    }
  },
}

const serverReference: LintRule<ClaudeSetup> = {
  id: 'agent-server-reference',
  severity: 'warning',
  title: "An agent's `mcpServers:` names servers, which limits nothing",
  why: `A list of names in \`mcpServers:\` looks as if the agent had these servers and no others. It changes nothing: an agent without \`tools:\` has every server of the conversation, whatever stands there. Only servers that the list defines in place (\`- name: { command: … }\`) do something: they exist for this agent alone. Where \`mcpServers:\` is a map and not a list, the client ignores all of it.

What limits an agent is \`tools:\`; \`mcp__<server>__*\` stands for all tools of a server.`,
  *check(setup) {
    const seen = new Set<AgentFile>()
    for (const { agent, entry } of references(setup)) {
      if (agent.tools !== undefined || seen.has(agent)) continue
      seen.add(agent)
      yield {
        ...placeOf(entry),
        message: `\`${agent.name}\` names \`${entry.text}\` in \`mcpServers:\`, and still has every other server.`,
        fix: 'Name the tools it may have in `tools:`, such as `mcp__<server>__*`.',
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

/** Names of servers that are set up elsewhere. Plugins' agents get no servers of their own by any name. */
function* references({ agents, servers }: ClaudeSetup): Iterable<{ agent: AgentFile; entry: Entry }> {
  const defined = new Set(servers.filter(isInline).map(({ owner, name }) => `${owner}\0${name}`))
  for (const agent of agents) {
    if (agent.source === 'plugin') continue
    for (const entry of agent.mcpServers ?? [])
      if (!defined.has(`${agent.name}\0${entry.text}`)) yield { agent, entry }
  }
}

/** Not what a plugin brings that is not there, what only this machine lacks, or what another project has. */
function isKnownToMiss(
  { isUsed, missingPlugins }: ClaudeSetup,
  { source }: AgentFile,
  { text }: Entry,
  meant: (name: string) => string | undefined,
): boolean {
  if (!isUsed || missingPlugins.some((plugin) => text.startsWith(`plugin:${plugin}:`))) return false
  return source !== 'user' || meant(text) !== undefined
}

function unknown(agent: AgentFile, entry: Entry, near: string | undefined): FindingDetails {
  return {
    ...placeOf(entry),
    message: `\`${entry.text}\` in \`mcpServers:\` of \`${agent.name}\` matches nothing: no MCP server here has this name.`,
    fix:
      near === undefined ? 'Set the server up, or remove the name.' : `Write \`${near}\` if that is meant.`,
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
