/** `--connect`: queries Claude Code's servers for their tools, so that tool names need not be guessed. */

import type { ClaudeSetup, McpServer } from '../../../clients/claude-code/permissions/setup.ts'
import { masked } from '../../../clients/permissions/masked.ts'
import { requireOperator } from '../../../platform/operator.ts'
import { counted, note, type CliIo } from '../../ui/output.ts'
import { progressLine } from '../../ui/progress.ts'

/** By `keyOf` the server. */
export type AskedTools = ReadonlyMap<string, readonly string[]>

/** Runs commands from files that anybody could have written, so the user must approve them first. */
export async function askTools(setup: ClaudeSetup, io: CliIo): Promise<AskedTools> {
  const { askToolNames, howStarted, startableServers } =
    await import('../../../compose/permission-servers.ts')
  const startable = startableServers(setup)
  const tools = new Map<string, readonly string[]>()
  if (startable.length === 0) return tools
  await requireOperator({
    ...io,
    details: startable.map(
      (server) => `  ${server.fullName}: ${masked(howStarted(server), setup.secretsIn)}`,
    ),
    question: `Start ${counted(startable.length, 'MCP server')} and query their tools`,
  })
  const progress = progressLine(io, 'server')
  const failed: string[] = []
  for (const [done, server] of startable.entries()) {
    progress.show({ done, total: startable.length, now: server.fullName })
    const asked = await askToolNames(server, setup, io.env)
    if (asked.ok) tools.set(keyOf(server), asked.names)
    else failed.push(`${server.fullName} could not be queried for its tools: ${asked.why}`)
  }
  progress.clear()
  for (const text of failed) note(masked(text, setup.secretsIn), io)
  return tools
}

/** Agents may each define their own server with the same name. */
function keyOf({ fullName, file, line, column }: McpServer): string {
  return JSON.stringify([fullName, file, line, column])
}

export function withTools(setup: ClaudeSetup, asked: AskedTools): ClaudeSetup {
  const servers = setup.servers.map((server) => {
    const tools = asked.get(keyOf(server))
    return tools === undefined || server.off !== undefined ? server : { ...server, tools }
  })
  return { ...setup, servers }
}
