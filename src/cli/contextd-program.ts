import type { Command } from 'commander'

import { VERSION } from '@contextd/shared/version'
import { doorCommand } from './commands/door.ts'
import { initCommand } from './commands/init/init.ts'
import { newGroup } from '@contextd/shared/cli/output'

export function contextdProgram(): Command {
  const program = newGroup(
    'contextd',
    'The gate between coding agents and everything they touch.',
    'contextd serve',
  ).version(VERSION)
  program
    .command('serve')
    .description('run the daemon in the foreground: MCP over HTTP and the control socket')
    .option('--json', 'print one JSON object when ready instead of text')
    .addHelpText('after', '\nExample:\n  contextd serve')
    .action(async (options: { json?: boolean }) => {
      const { serve } = await import('./commands/serve.ts')
      await serve({ json: options.json === true })
    })
  const mcp = newGroup('mcp', 'serve MCP to one client', 'contextd mcp serve')
  program.addCommand(mcp)
  mcp
    .command('serve')
    .description('serve MCP on stdin and stdout')
    .option('--agent <id>', 'agent for callers without an identity (level: environment)')
    .option('--transparent', "list other servers' tools next to contextd's own, as <server>__<tool>")
    .addHelpText('after', '\nExample:\n  claude mcp add contextd -- contextd mcp serve')
    .action(async (options: { agent?: string; transparent?: boolean }) => {
      const { serveMcp } = await import('./commands/mcp-serve.ts')
      await serveMcp(options)
    })
  program
    .command('hook')
    .description('answer a client hook, with its payload on stdin')
    .argument('<names...>', 'protect, block-builtin, scrub; the first one with an answer wins')
    .addHelpText('after', '\nExample:\n  contextd hook protect block-builtin < payload.json')
    .action(async () => {
      // `bin/contextd.js` loads this directly; other launchers get here.
      await import('./hook.ts')
    })
  program.addCommand(initCommand())
  program.addCommand(doorCommand())
  return program
}
