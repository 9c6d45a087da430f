/** `ctxd init`: set up a client so that its agents work through contextd, and undo that. */

import { realpathSync } from 'node:fs'
import { Option, type Command } from 'commander'

import { platforms, type Platform } from '../../../clients/find-clients.ts'
import { newCommand, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'

export interface InitOptions extends JsonOption {
  readonly platform?: Platform | 'all'
  readonly user?: true
  readonly mode?: 'friendly' | 'strict'
  readonly moveServers?: true
  readonly declareAgents?: true
  readonly tools?: true
  /** True: only that. False: hooks scrub instead. */
  readonly door?: boolean
  readonly dryRun?: true
  readonly undo?: true
}

export function initCommand(io: CliIo = processIo()): Command {
  return newCommand(
    'init',
    'set up a client so that its agents work through contextd',
    'ctxd init --platform claude-code --dry-run',
  )
    .addOption(
      new Option('--platform <client>', 'client to set up; all installed ones by default').choices([
        ...platforms,
        'all',
      ]),
    )
    .option('--user', 'for all your projects instead of the one in this folder')
    .addOption(
      new Option(
        '--mode <mode>',
        "friendly scrubs the client's own shell and file tools, strict refuses them",
      ).choices(['friendly', 'strict']),
    )
    .option('--move-servers', "move the client's MCP servers behind the gateway")
    .option('--declare-agents', 'add a line to OpenCode agent files that declares the agent in every call')
    .option('--tools', 'write the tools as executables to .claude/tools; without --platform, only those')
    .option(
      '--door',
      'only send model requests through contextd (the model door), for use with the Claude Code plugin',
    )
    .option('--no-door', 'do not send model requests through contextd; hooks scrub the output of tools')
    .option('--dry-run', 'show the changes without writing them')
    .option('--undo', 'undo what init wrote here')
    .action(async (options: InitOptions) => {
      const project = options.user ? undefined : realpathSync(io.cwd)
      if (options.undo) {
        const { undoInit } = await import('./undo.ts')
        return undoInit(options, project, io)
      }
      const { setUp } = await import('./set-up.ts')
      return setUp(options, project, io)
    })
}
