/** Servers and tools that the client cannot tell apart by their names. */

import { placeOf, type FindingDetails, type LintRule } from '../../../findings/finding.ts'
import type { ClaudeSetup, McpServer } from '../../setup/setup.ts'
import { fullToolName } from '../../rules/tool-names.ts'
import { origin } from '../../rules/named-servers.ts'

const collision: LintRule<ClaudeSetup> = {
  id: 'mcp-name-collision',
  severity: 'error',
  title: 'Two servers or two tools have the same name at runtime',
  why: `In names of tools the client writes \`_\` for most characters and joins plugin, server and tool with underscores. So \`my docs\` and \`my.docs\`, or a server that a project calls \`plugin_broker_ctx\` and the server \`ctx\` of the plugin \`broker\`, get the same names. A call reaches the one that comes first (of the project before that of a plugin, of the conversation before that of an agent), and a rule that was written for the one holds for the other.

Rename one of them.`,
  *check(setup) {
    // Each agent may define servers of the same name: they are there for it alone.
    const servers = setup.servers.filter(({ off, source }) => off === undefined && source !== 'agent')
    const byPrefix = new Map<string, McpServer>()
    const byName = new Map<string, NamedTool>()
    for (const server of servers) {
      const before = byPrefix.get(server.prefix)
      if (before === undefined) byPrefix.set(server.prefix, server)
      else if (before.fullName !== server.fullName) yield sameServers(before, server)
      yield* sameTools(byName, server)
    }
    for (const server of setup.servers) {
      const shared = server.source === 'agent' ? byPrefix.get(server.prefix) : undefined
      if (shared !== undefined) yield hidden(server, shared)
    }
  },
}

function sameServers(one: McpServer, other: McpServer): FindingDetails {
  return {
    ...placeOf(other),
    message: `\`${other.fullName}\` has the same names as \`${one.fullName}\`: tools of both begin with \`${one.prefix}__\`, and rules for one hold for the other.`,
    fix: 'Rename one of the servers.',
  }
}

function hidden(server: McpServer, shared: McpServer): FindingDetails {
  return {
    ...placeOf(server),
    severity: 'warning',
    message: `What \`${server.owner}\` defines as \`${server.name}\` is not used: \`${shared.fullName}\`, which ${origin(shared)}, answers under the same names.`,
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
    const before = byName.get(name)
    if (before === undefined) byName.set(name, { server, tool })
    // Of servers that have all names in common one word is enough.
    else if (before.server === server ? before.tool !== tool : before.server.prefix !== server.prefix)
      yield {
        ...placeOf(server),
        message: `\`${tool}\` of \`${server.fullName}\` and \`${before.tool}\` of \`${before.server.fullName}\` are both called \`${name}\`: only one of them can be called, and rules cannot tell them apart.`,
        fix: 'Rename one of the tools, or its server.',
      }
  }
}

export const nameCollisionRules: readonly LintRule<ClaudeSetup>[] = [collision]
