/** `--connect`: queries Claude Code's servers for their tools, so that tool names need not be guessed. */

import type { ClaudeSetup } from '@contextd/permissions/internal/claude-setup'
import { serverKey, type QueriedTools } from '@contextd/permissions/internal/queried-tools'
import { masked } from '@contextd/permissions/internal/masked'
import { requireOperator } from '@contextd/shared/operator'
import { note, type CliIo } from '@contextd/shared/cli/output'
import { counted } from '@contextd/shared/text/counted'
import { progressLine } from '@contextd/shared/cli/progress'

/** Runs commands from files that anybody could have written, so the user must approve them first. */
export async function queryTools(setup: ClaudeSetup, io: CliIo): Promise<QueriedTools> {
  const { askToolNames, howStarted, startableServers } = await import('./permission-servers.ts')
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
    if (asked.ok) tools.set(serverKey(server), asked.names)
    else failed.push(`${server.fullName} could not be queried for its tools: ${asked.why}`)
  }
  progress.clear()
  for (const text of failed) note(masked(text, setup.secretsIn), io)
  return tools
}
