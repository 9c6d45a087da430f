import type { Command } from 'commander'

import { ContextdError } from '../core/errors/errors.ts'
import { VERSION } from '@contextd/shared/version'
import { newGroup, processIo, type CliIo } from '@contextd/shared/cli/output'
import { commandGroups, commandNames, meantCommand, type CommandName } from './command-list.ts'

type Load = (io: CliIo) => Promise<Command>

const loaders: Readonly<Record<CommandName, Load>> = {
  init: async (io) => (await import('./commands/init/init.ts')).initCommand(io),
  start: async (io) => (await import('./commands/server.ts')).startCommand('ctxd', io),
  stop: async (io) => (await import('./commands/server.ts')).stopCommand('ctxd', io),
  status: async (io) => (await import('./commands/glance/glance.ts')).glanceCommand('status', io),
  doctor: async (io) => (await import('./commands/doctor/doctor.ts')).doctorCommand(io),
  demo: async (io) => (await import('./commands/demo/demo.ts')).demoCommand(io),
  rules: async (io) => (await import('./commands/rules/rules.ts')).rulesCommand(io),
  agents: async (io) => (await import('./commands/agents.ts')).agentsCommand(io),
  permissions: async (io) => (await import('./commands/permissions/permissions.ts')).permissionsCommand(io),
  trust: async (io) => (await import('./commands/trust.ts')).trustCommand(io),
  scan: async (io) => (await import('./commands/scan.ts')).scanCommand(io),
  scrub: async (io) => (await import('./commands/scrub.ts')).scrubCommand(io),
  secret: async (io) => (await import('./commands/secret.ts')).secretCommand(io),
  detect: async (io) => (await import('./commands/detect.ts')).detectCommand(io),
  context: async (io) => (await import('./commands/context/context.ts')).contextCommand(io),
  upstream: async (io) => (await import('./commands/upstream/upstream.ts')).upstreamCommand(io),
  tool: async (io) => (await import('./commands/tool/tool.ts')).toolCommand(io),
  model: async (io) => (await import('./commands/model.ts')).modelCommand(io),
  memory: async (io) => (await import('./commands/memory/memory.ts')).memoryCommand(io),
  checkpoint: async (io) => (await import('./commands/checkpoint.ts')).checkpointCommand(io),
  index: async (io) => (await import('./commands/index-repository.ts')).indexCommand(io),
  query: async (io) => (await import('./commands/query.ts')).queryCommand(io),
  audit: async (io) => (await import('./commands/audit/audit.ts')).auditCommand(io),
  usage: async (io) => (await import('./commands/usage.ts')).usageCommand(io),
  branch: async (io) => (await import('./commands/branch.ts')).branchCommand(io),
  background: async (io) => (await import('./commands/background.ts')).backgroundCommand(io),
  caches: async (io) => (await import('./commands/caches.ts')).cachesCommand(io),
  config: async (io) => (await import('./commands/config.ts')).configCommand(io),
  server: async (io) => (await import('./commands/server.ts')).serverCommand(io),
  serve: async () => (await import('./commands/server.ts')).serveCommand(),
  tls: async (io) => (await import('./commands/tls/tls.ts')).tlsCommand(io),
  webhooks: async (io) => (await import('./commands/webhooks.ts')).webhooksCommand(io),
  completion: async (io) => (await import('./commands/completion/completion.ts')).completionCommand(io),
  mcp: async () => (await import('./client-programs.ts')).mcpCommand(),
  hook: async () => (await import('./client-programs.ts')).hookCommand(),
  door: async (io) => (await import('./commands/door.ts')).doorCommand(io),
}

/** The program for these arguments: one command, or the status if they name none. */
export async function programFor(argv: readonly string[], io: CliIo = processIo()): Promise<Command> {
  if (argv.every((word) => word === '--json'))
    return (await import('./commands/glance/glance.ts')).glanceCommand('ctxd', io)
  const wanted = wantedWord(argv)
  return isUnknown(wanted) ? refusing(wanted) : ctxdProgram((name) => name === wanted, io)
}

/** The program to complete these words, of which the last is being typed and may be incomplete. */
export function programToComplete(words: readonly string[]): Promise<Command> {
  const wanted = words.length > 1 ? wantedWord(words) : undefined
  return ctxdProgram((name) => name === wanted)
}

/** The first word, or the one that help is wanted about. */
function wantedWord([first, second]: readonly string[]): string | undefined {
  return first === 'help' ? second : first
}

function isUnknown(word: string | undefined): word is string {
  return word !== undefined && !word.startsWith('-') && word !== 'help' && !commandNames.includes(word)
}

/** Commander would suggest only similar names, and for help about an unknown command print the general help. */
function refusing(word: string): Command {
  const meant = meantCommand(word)
  const list = '`ctxd --help` lists all commands.'
  return newGroup('ctxd', '', '')
    .argument('[words...]')
    .helpOption(false)
    .allowUnknownOption()
    .action(() => {
      throw new ContextdError('USAGE', {
        problem: `unknown command ${word}`,
        hint: meant === undefined ? list : `Did you mean \`${meant}\`? ${list}`,
      })
    })
}

/** The program with the wanted commands; the others only as name and summary, not loaded. */
export async function ctxdProgram(
  isWanted: (name: string) => boolean,
  io: CliIo = processIo(),
): Promise<Command> {
  const program = newGroup(
    'ctxd',
    'Control contextd, the gate between coding agents and everything they touch.',
    'ctxd init --dry-run',
  )
    .version(VERSION)
    .commandsGroup('Administration:')
    .addHelpText('after', '\nWith no command, prints status (--json for machines).')
  for (const [group, commands] of Object.entries(commandGroups)) {
    for (const [name, summary] of Object.entries(commands)) {
      const command = isWanted(name)
        ? await loaders[name as CommandName](io)
        : program.createCommand(name).description(summary)
      program.addCommand(command.helpGroup(`${group}:`))
    }
  }
  return program
}
