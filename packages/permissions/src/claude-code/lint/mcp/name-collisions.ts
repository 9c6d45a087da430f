/** Servers and tools with identical runtime names. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup, McpServer } from '../../setup/setup.ts'
import { fullToolName } from '../../rules/tool-names.ts'
import { origin } from '../../rules/named-servers.ts'

const collision: LintRule<ClaudeSetup> = {
  id: 'mcp-name-collision',
  severity: 'error',
  title: 'Two servers or two tools have the same name at runtime',
  why: `In tool names the client replaces special characters with \`_\` and joins plugin, server and tool with underscores. Therefore \`my docs\` and \`my.docs\`, or a project server named \`plugin_broker_ctx\` and the server \`ctx\` of the plugin \`broker\`, get the same names. A call reaches the first one (a project's before a plugin's, the conversation's before an agent's), and a rule written for one applies to the other.

Rename one of them.`,
  *check(setup) {
    // Agents may define servers with the same name: each exists for its agent only.
    const servers = setup.servers.filter(({ off, source }) => off === undefined && source !== 'agent')
    const byPrefix = new Map<string, McpServer>()
    const byName = new Map<string, NamedTool>()
    for (const server of servers) {
      const first = byPrefix.get(server.prefix)
      if (first === undefined) byPrefix.set(server.prefix, server)
      else if (first.fullName !== server.fullName) yield sameServers(first, server)
      yield* sameTools(byName, server)
    }
    for (const server of setup.servers) {
      const shared = server.source === 'agent' ? byPrefix.get(server.prefix) : undefined
      if (shared !== undefined) yield shadowed(server, shared)
    }
  },
}

function sameServers(one: McpServer, other: McpServer): FindingDetails {
  return {
    ...placeOf(other),
    message: `\`${other.fullName}\` collides with \`${one.fullName}\`: tool names of both start with \`${one.prefix}__\`, and rules for one apply to the other.`,
    fix: 'Rename one of the servers.',
  }
}

function shadowed(server: McpServer, shared: McpServer): FindingDetails {
  return {
    ...placeOf(server),
    severity: 'warning',
    message: `The server \`${server.name}\` of the agent \`${server.owner}\` is not used: \`${shared.fullName}\`, which ${origin(shared)}, has the same tool names.`,
    fix: "Give the agent's server another name.",
  }
}

interface NamedTool {
  readonly server: McpServer
  readonly tool: string
}

function* sameTools(byName: Map<string, NamedTool>, server: McpServer): Iterable<FindingDetails> {
  for (const tool of server.tools ?? []) {
    const name = fullToolName(server.prefix, tool)
    const first = byName.get(name)
    if (first === undefined) byName.set(name, { server, tool })
    // Servers with the same prefix are already reported.
    else if (first.server === server ? first.tool !== tool : first.server.prefix !== server.prefix)
      yield {
        ...placeOf(server),
        message: `\`${tool}\` of \`${server.fullName}\` and \`${first.tool}\` of \`${first.server.fullName}\` are both named \`${name}\`: only one of them can be called, and rules cannot distinguish them.`,
        fix: 'Rename one of the tools, or its server.',
      }
  }
}

export const nameCollisionRules: readonly LintRule<ClaudeSetup>[] = [collision]
