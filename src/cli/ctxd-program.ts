import type { Command } from 'commander'

import { ContextdError } from '../core/errors.ts'
import { nearest } from '../platform/nearest.ts'
import { VERSION } from '../platform/version.ts'
import { newGroup, processIo, type CliIo } from './ui/output.ts'

interface Entry {
  readonly name: string
  readonly summary: string
  load(io: CliIo): Promise<Command>
}

/** In the order of `--help`. */
const commands: readonly Entry[] = [
  {
    name: 'server',
    summary: 'start, stop and look at the daemon',
    load: async (io) => (await import('./commands/server.ts')).serverCommand(io),
  },
  {
    name: 'doctor',
    summary: 'check this machine and say how to fix what is wrong',
    load: async (io) => (await import('./commands/doctor.ts')).doctorCommand(io),
  },
  {
    name: 'demo',
    summary: 'a story of one minute on real parts, which leaves nothing behind',
    load: async (io) => (await import('./commands/demo.ts')).demoCommand(io),
  },
  {
    name: 'agents',
    summary: 'who may call, and their tokens',
    load: async (io) => (await import('./commands/agents.ts')).agentsCommand(io),
  },
  {
    name: 'rules',
    summary: 'check, explain and test the rules',
    load: async (io) => (await import('./commands/rules.ts')).rulesCommand(io),
  },
  {
    name: 'permissions',
    summary: 'explain and check the permission files of agent clients',
    load: async (io) => (await import('./commands/permissions.ts')).permissionsCommand(io),
  },
  {
    name: 'upstream',
    summary: 'MCP servers behind the gateway',
    load: async (io) => (await import('./commands/upstream.ts')).upstreamCommand(io),
  },
  {
    name: 'model',
    summary: 'the model door: its address, providers and keys',
    load: async (io) => (await import('./commands/model.ts')).modelCommand(io),
  },
  {
    name: 'usage',
    summary: 'tokens that models used, by day, session, agent or model',
    load: async (io) => (await import('./commands/usage.ts')).usageCommand(io),
  },
  {
    name: 'scrub',
    summary: 'replace the secrets in a text by tokens',
    load: async (io) => (await import('./commands/scrub.ts')).scrubCommand(io),
  },
  {
    name: 'scan',
    summary: 'find secrets in files, folders and commits',
    load: async (io) => (await import('./commands/scan.ts')).scanCommand(io),
  },
  {
    name: 'secret',
    summary: 'what is kept as a secret',
    load: async (io) => (await import('./commands/secret.ts')).secretCommand(io),
  },
  {
    name: 'detect',
    summary: 'what counts as a secret, and why',
    load: async (io) => (await import('./commands/detect.ts')).detectCommand(io),
  },
  {
    name: 'tool',
    summary: 'tools of your own, and what they may do',
    load: async (io) => (await import('./commands/tool.ts')).toolCommand(io),
  },
  {
    name: 'context',
    summary: 'private context, and which agents it is for',
    load: async (io) => (await import('./commands/context.ts')).contextCommand(io),
  },
  {
    name: 'memory',
    summary: 'what agents learned: look, edit, take out and in',
    load: async (io) => (await import('./commands/memory.ts')).memoryCommand(io),
  },
  {
    name: 'checkpoint',
    summary: 'where sessions stood',
    load: async (io) => (await import('./commands/checkpoint.ts')).checkpointCommand(io),
  },
  {
    name: 'branch',
    summary: 'subtasks, and what they kept out of a context',
    load: async (io) => (await import('./commands/branch.ts')).branchCommand(io),
  },
  {
    name: 'index',
    summary: 'make a repository searchable',
    load: async (io) => (await import('./commands/index-repository.ts')).indexCommand(io),
  },
  {
    name: 'query',
    summary: 'search a repository',
    load: async (io) => (await import('./commands/query.ts')).queryCommand(io),
  },
  {
    name: 'audit',
    summary: 'what happened',
    load: async (io) => (await import('./commands/audit.ts')).auditCommand(io),
  },
  {
    name: 'trust',
    summary: 'let the files of a project count',
    load: async (io) => (await import('./commands/trust.ts')).trustCommand(io),
  },
  {
    name: 'config',
    summary: 'read and change the configuration',
    load: async (io) => (await import('./commands/config.ts')).configCommand(io),
  },
  {
    name: 'tls',
    summary: 'certificates for callers on other machines',
    load: async (io) => (await import('./commands/tls.ts')).tlsCommand(io),
  },
  {
    name: 'webhooks',
    summary: 'tell other programs what happens',
    load: async (io) => (await import('./commands/webhooks.ts')).webhooksCommand(io),
  },
  {
    name: 'completion',
    summary: 'let your shell complete commands, options and names',
    load: async (io) => (await import('./commands/completion.ts')).completionCommand(io),
  },
]

/** What the arguments are about: one command, or the state at a glance where they name none. */
export async function programFor(argv: readonly string[], io: CliIo = processIo()): Promise<Command> {
  if (argv.every((word) => word === '--json')) return (await import('./commands/glance.ts')).glanceCommand(io)
  const wanted = wantedCommand(argv)
  return ctxdProgram((name) => name === wanted, io)
}

/** Asked for help about something else, commander shows all there is and says no word. */
export function helpAboutNothing([first, name]: readonly string[]): Command | undefined {
  const names = commands.map((command) => command.name)
  if (first !== 'help' || name === undefined || names.includes(name)) return undefined
  const near = nearest(name, names)
  const hint = near === undefined ? '`ctxd --help` lists the commands.' : `Did you mean ${near}?`
  return newGroup('ctxd', '', '')
    .argument('[words...]')
    .action(() => {
      throw new ContextdError('USAGE', { problem: `there is no command ${name}`, hint })
    })
}

/** The command that the arguments are about. */
function wantedCommand([first, second]: readonly string[]): string | undefined {
  return first === 'help' ? second : first
}

/** The program with the command that is wanted; the others only by name and summary, unloaded. */
export async function ctxdProgram(
  isWanted: (name: string) => boolean,
  io: CliIo = processIo(),
): Promise<Command> {
  const program = newGroup(
    'ctxd',
    'Steers contextd, the one gate between coding agents and everything they touch.',
    'ctxd rules explain --agent main --server contextd --tool read_more',
  )
    .version(VERSION)
    .addHelpText('after', '\nWithout a command: how things stand, with --json as data.')
  for (const { name, summary, load } of commands) {
    if (isWanted(name)) program.addCommand(await load(io))
    else program.command(name).description(summary)
  }
  return program
}
