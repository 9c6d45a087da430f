import type { Command } from 'commander'

import { VERSION } from '../platform/version.ts'
import { doorCommand } from './commands/door.ts'
import { initCommand } from './commands/init.ts'
import { newGroup } from './ui/output.ts'

export function contextdProgram(): Command {
  const program = newGroup(
    'contextd',
    'The one gate between coding agents and everything they touch.',
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
  const mcp = newGroup('mcp', 'speak MCP to one client', 'contextd mcp serve')
  program.addCommand(mcp)
  mcp
    .command('serve')
    .description('MCP on stdin and stdout')
    .option('--agent <id>', 'the agent that callers without an identity count as (level: environment)')
    .option('--transparent', 'list the tools of other servers beside our own, as <server>__<tool>')
    .addHelpText('after', '\nExample:\n  claude mcp add contextd -- contextd mcp serve')
    .action(async (options: { agent?: string; transparent?: boolean }) => {
      const { serveMcp } = await import('./commands/mcp-serve.ts')
      await serveMcp(options)
    })
  program
    .command('hook')
    .description('answer a hook of a client, which gives its payload on stdin')
    .argument('<names...>', 'protect, block-builtin, scrub; the first that has an answer gives it')
    .addHelpText('after', '\nExample:\n  contextd hook protect block-builtin < payload.json')
    .action(async () => {
      // `bin/contextd.js` goes there at once; this way comes who started the program some other way.
      await import('./hook.ts')
    })
  program.addCommand(initCommand())
  program.addCommand(doorCommand())
  return program
}
