/** What clients start, for other launchers than `bin/launch.js`, and for help. */

import type { Command } from 'commander'

import { newGroup } from '@contextd/shared/cli/output'

export function mcpCommand(): Command {
  return newGroup(
    'mcp',
    'serve MCP to one client',
    'claude mcp add contextd -- contextd mcp serve',
  ).addCommand(
    newGroup('serve', 'serve MCP on stdin and stdout', 'claude mcp add contextd -- contextd mcp serve')
      .option('--agent <id>', 'agent for callers without an identity (level: environment)')
      .option('--transparent', "list other servers' tools next to contextd's own, as <server>__<tool>")
      .action(async (options: { agent?: string; transparent?: boolean }) => {
        const { serveMcp } = await import('./commands/mcp-serve.ts')
        await serveMcp(options)
      }),
  )
}

export function hookCommand(): Command {
  return newGroup(
    'hook',
    'answer a client hook, with its payload on stdin',
    'contextd hook protect block-builtin < payload.json',
  )
    .argument('<names...>', 'protect, block-builtin, scrub; the first one with an answer wins')
    .action(async () => {
      await import('./hook.ts')
    })
}
