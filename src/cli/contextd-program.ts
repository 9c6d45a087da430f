import { Command } from 'commander'

import { VERSION } from '../platform/version.ts'

export function contextdProgram(): Command {
  const program = new Command('contextd')
    .description('The one gate between coding agents and everything they touch.')
    .version(VERSION)
  program
    .command('serve')
    .description('run the daemon in the foreground: MCP over HTTP and the control socket')
    .option('--json', 'print one JSON object when ready instead of text')
    .addHelpText('after', '\nExample:\n  contextd serve')
    .action(async (options: { json?: boolean }) => {
      const { serve } = await import('./commands/serve.ts')
      await serve({ json: options.json === true })
    })
  program
    .command('mcp')
    .description('speak MCP to one client')
    .command('serve')
    .description('MCP on stdin and stdout')
    .option('--agent <id>', 'the agent that callers without an identity count as (level: environment)')
    .addHelpText('after', '\nExample:\n  claude mcp add contextd -- contextd mcp serve')
    .action(async (options: { agent?: string }) => {
      const { serveMcp } = await import('./commands/mcp-serve.ts')
      await serveMcp(options)
    })
  return program
}
