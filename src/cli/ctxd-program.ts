import type { Command } from 'commander'

import { VERSION } from '../platform/version.ts'
import { newGroup } from './ui/output.ts'

interface Entry {
  readonly name: string
  readonly summary: string
  load(): Promise<Command>
}

/** In the order of `--help`. */
const commands: readonly Entry[] = [
  {
    name: 'server',
    summary: 'start, stop and look at the daemon',
    load: async () => (await import('./commands/server.ts')).serverCommand(),
  },
  {
    name: 'doctor',
    summary: 'check this machine and say how to fix what is wrong',
    load: async () => (await import('./commands/doctor.ts')).doctorCommand(),
  },
  {
    name: 'demo',
    summary: 'a story of one minute on real parts, which leaves nothing behind',
    load: async () => (await import('./commands/demo.ts')).demoCommand(),
  },
  {
    name: 'agents',
    summary: 'who may call, and their tokens',
    load: async () => (await import('./commands/agents.ts')).agentsCommand(),
  },
  {
    name: 'rules',
    summary: 'check, explain and test the rules',
    load: async () => (await import('./commands/rules.ts')).rulesCommand(),
  },
  {
    name: 'upstream',
    summary: 'MCP servers behind the gateway',
    load: async () => (await import('./commands/upstream.ts')).upstreamCommand(),
  },
  {
    name: 'scrub',
    summary: 'replace the secrets in a text by tokens',
    load: async () => (await import('./commands/scrub.ts')).scrubCommand(),
  },
  {
    name: 'scan',
    summary: 'find secrets in files, folders and commits',
    load: async () => (await import('./commands/scan.ts')).scanCommand(),
  },
  {
    name: 'secret',
    summary: 'what is kept as a secret',
    load: async () => (await import('./commands/secret.ts')).secretCommand(),
  },
  {
    name: 'detect',
    summary: 'what counts as a secret, and why',
    load: async () => (await import('./commands/detect.ts')).detectCommand(),
  },
  {
    name: 'tool',
    summary: 'tools of your own, and what they may do',
    load: async () => (await import('./commands/tool.ts')).toolCommand(),
  },
  {
    name: 'context',
    summary: 'private context, and which agents it is for',
    load: async () => (await import('./commands/context.ts')).contextCommand(),
  },
  {
    name: 'memory',
    summary: 'what agents learned: look, edit, take out and in',
    load: async () => (await import('./commands/memory.ts')).memoryCommand(),
  },
  {
    name: 'checkpoint',
    summary: 'where sessions stood',
    load: async () => (await import('./commands/checkpoint.ts')).checkpointCommand(),
  },
  {
    name: 'branch',
    summary: 'subtasks, and what they kept out of a context',
    load: async () => (await import('./commands/branch.ts')).branchCommand(),
  },
  {
    name: 'index',
    summary: 'make a repository searchable',
    load: async () => (await import('./commands/index-repository.ts')).indexCommand(),
  },
  {
    name: 'query',
    summary: 'search a repository',
    load: async () => (await import('./commands/query.ts')).queryCommand(),
  },
  {
    name: 'audit',
    summary: 'what happened',
    load: async () => (await import('./commands/audit.ts')).auditCommand(),
  },
  {
    name: 'trust',
    summary: 'let the files of a project count',
    load: async () => (await import('./commands/trust.ts')).trustCommand(),
  },
  {
    name: 'config',
    summary: 'read and change the configuration',
    load: async () => (await import('./commands/config.ts')).configCommand(),
  },
  {
    name: 'completion',
    summary: 'let your shell complete commands, options and names',
    load: async () => (await import('./commands/completion.ts')).completionCommand(),
  },
]

/** What the arguments are about: one command, or the state at a glance where they name none. */
export async function programFor(argv: readonly string[]): Promise<Command> {
  if (argv.every((word) => word === '--json')) return (await import('./commands/glance.ts')).glanceCommand()
  const wanted = wantedCommand(argv)
  return ctxdProgram((name) => name === wanted)
}

/** The command that the arguments are about. */
export function wantedCommand([first, second]: readonly string[]): string | undefined {
  return first === 'help' ? second : first
}

/** The program with the command that is wanted; the others only by name and summary, unloaded. */
export async function ctxdProgram(isWanted: (name: string) => boolean): Promise<Command> {
  const program = newGroup(
    'ctxd',
    'Steers contextd, the one gate between coding agents and everything they touch.',
    'ctxd rules explain --agent main --server contextd --tool read_more',
  )
    .version(VERSION)
    .addHelpText('after', '\nWithout a command: how things stand, with --json as data.')
  for (const { name, summary, load } of commands) {
    if (isWanted(name)) program.addCommand(await load())
    else program.command(name).description(summary)
  }
  return program
}
