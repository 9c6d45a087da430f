import type { Command } from 'commander'

import { ContextdError } from '../core/errors/errors.ts'
import { nearest } from '@contextd/shared/text/nearest'
import { VERSION } from '@contextd/shared/version'
import { newGroup, processIo, type CliIo } from '@contextd/shared/cli/output'

interface Entry {
  readonly name: string
  readonly summary: string
  load(io: CliIo): Promise<Command>
}

/** In the order of `--help`. */
const commands: readonly Entry[] = [
  {
    name: 'server',
    summary: 'start, stop and inspect the daemon',
    load: async (io) => (await import('./commands/server.ts')).serverCommand(io),
  },
  {
    name: 'doctor',
    summary: 'check this machine and suggest fixes',
    load: async (io) => (await import('./commands/doctor/doctor.ts')).doctorCommand(io),
  },
  {
    name: 'demo',
    summary: 'one-minute demo in a temporary folder',
    load: async (io) => (await import('./commands/demo/demo.ts')).demoCommand(io),
  },
  {
    name: 'agents',
    summary: 'list agents and manage their tokens',
    load: async (io) => (await import('./commands/agents.ts')).agentsCommand(io),
  },
  {
    name: 'rules',
    summary: 'check, explain, test and change the rules',
    load: async (io) => (await import('./commands/rules/rules.ts')).rulesCommand(io),
  },
  {
    name: 'permissions',
    summary: 'explain and check the permission files of agent clients',
    load: async (io) => (await import('./commands/permissions/permissions.ts')).permissionsCommand(io),
  },
  {
    name: 'upstream',
    summary: 'manage MCP servers behind the gateway',
    load: async (io) => (await import('./commands/upstream/upstream.ts')).upstreamCommand(io),
  },
  {
    name: 'model',
    summary: 'the model door: its address, providers and keys',
    load: async (io) => (await import('./commands/model.ts')).modelCommand(io),
  },
  {
    name: 'usage',
    summary: 'report model tokens used by day, session, agent or model',
    load: async (io) => (await import('./commands/usage.ts')).usageCommand(io),
  },
  {
    name: 'scrub',
    summary: 'replace secrets in text with tokens',
    load: async (io) => (await import('./commands/scrub.ts')).scrubCommand(io),
  },
  {
    name: 'scan',
    summary: 'find secrets in files, folders and commits',
    load: async (io) => (await import('./commands/scan.ts')).scanCommand(io),
  },
  {
    name: 'secret',
    summary: 'manage known secrets',
    load: async (io) => (await import('./commands/secret.ts')).secretCommand(io),
  },
  {
    name: 'detect',
    summary: 'inspect and test secret detection',
    load: async (io) => (await import('./commands/detect.ts')).detectCommand(io),
  },
  {
    name: 'tool',
    summary: 'create, install and approve tools',
    load: async (io) => (await import('./commands/tool/tool.ts')).toolCommand(io),
  },
  {
    name: 'context',
    summary: 'manage private context files for agents',
    load: async (io) => (await import('./commands/context/context.ts')).contextCommand(io),
  },
  {
    name: 'memory',
    summary: 'search, edit, export and import agent memories',
    load: async (io) => (await import('./commands/memory/memory.ts')).memoryCommand(io),
  },
  {
    name: 'checkpoint',
    summary: 'list and restore session checkpoints',
    load: async (io) => (await import('./commands/checkpoint.ts')).checkpointCommand(io),
  },
  {
    name: 'branch',
    summary: 'inspect subtasks that agents opened',
    load: async (io) => (await import('./commands/branch.ts')).branchCommand(io),
  },
  {
    name: 'background',
    summary: 'list background commands of agents',
    load: async (io) => (await import('./commands/background.ts')).backgroundCommand(io),
  },
  {
    name: 'caches',
    summary: 'list and clear caches of sandboxed commands',
    load: async (io) => (await import('./commands/caches.ts')).cachesCommand(io),
  },
  {
    name: 'index',
    summary: 'index a repository for search',
    load: async (io) => (await import('./commands/index-repository.ts')).indexCommand(io),
  },
  {
    name: 'query',
    summary: 'search a repository',
    load: async (io) => (await import('./commands/query.ts')).queryCommand(io),
  },
  {
    name: 'audit',
    summary: 'read and verify the audit log',
    load: async (io) => (await import('./commands/audit/audit.ts')).auditCommand(io),
  },
  {
    name: 'trust',
    summary: "trust a project's configuration files",
    load: async (io) => (await import('./commands/trust.ts')).trustCommand(io),
  },
  {
    name: 'config',
    summary: 'read and change the configuration',
    load: async (io) => (await import('./commands/config.ts')).configCommand(io),
  },
  {
    name: 'tls',
    summary: 'manage certificates for callers on other machines',
    load: async (io) => (await import('./commands/tls/tls.ts')).tlsCommand(io),
  },
  {
    name: 'webhooks',
    summary: 'send events to other programs',
    load: async (io) => (await import('./commands/webhooks.ts')).webhooksCommand(io),
  },
  {
    name: 'completion',
    summary: 'print shell completion scripts',
    load: async (io) => (await import('./commands/completion/completion.ts')).completionCommand(io),
  },
]

/** The program for these arguments: one command, or the status if they name none. */
export async function programFor(argv: readonly string[], io: CliIo = processIo()): Promise<Command> {
  if (argv.every((word) => word === '--json'))
    return (await import('./commands/glance/glance.ts')).glanceCommand(io)
  const wanted = wantedCommand(argv)
  return ctxdProgram((name) => name === wanted, io)
}

/** For help about an unknown command, commander would print the general help without an error. */
export function helpAboutNothing([first, name]: readonly string[]): Command | undefined {
  const names = commands.map((command) => command.name)
  if (first !== 'help' || name === undefined || names.includes(name)) return undefined
  const near = nearest(name, names)
  const hint = near === undefined ? '`ctxd --help` lists the commands.' : `Did you mean ${near}?`
  return newGroup('ctxd', '', '')
    .argument('[words...]')
    .action(() => {
      throw new ContextdError('USAGE', { problem: `unknown command ${name}`, hint })
    })
}

/** The command that the arguments name. */
function wantedCommand([first, second]: readonly string[]): string | undefined {
  return first === 'help' ? second : first
}

/** The program with the wanted command; the others only as name and summary, not loaded. */
export async function ctxdProgram(
  isWanted: (name: string) => boolean,
  io: CliIo = processIo(),
): Promise<Command> {
  const program = newGroup(
    'ctxd',
    'Control contextd, the gate between coding agents and everything they touch.',
    'ctxd rules explain --agent main --server contextd --tool read_more',
  )
    .version(VERSION)
    .addHelpText('after', '\nWith no command, prints status (--json for machines).')
  for (const { name, summary, load } of commands) {
    if (isWanted(name)) program.addCommand(await load(io))
    else program.command(name).description(summary)
  }
  return program
}
