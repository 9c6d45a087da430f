/** `ctxd init`: set up a client so that its agents work through contextd, and undo that. */

import { realpathSync } from 'node:fs'
import { Option, type Command } from 'commander'

import { ContextdError } from '../../../core/errors/errors.ts'
import { platforms, type Platform } from '../../../clients/find-clients.ts'
import { newCommand, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'

export interface InitOptions extends JsonOption {
  readonly platform?: Platform | 'all'
  readonly user?: true
  /** Write the files of a project for everyone who uses its repository. */
  readonly shared?: true
  /** Shared files refuse every tool where contextd is not installed. */
  readonly require?: true
  /** Add our tools to agents whose tools strict mode removes; asked for if undefined. */
  readonly agentTools?: boolean
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
    .option('--shared', 'write files to commit, for everyone on the project, instead of files for you alone')
    .option('--require', 'with --shared: refuse every tool where contextd is not installed')
    .addOption(
      new Option(
        '--mode <mode>',
        "friendly scrubs the client's own shell and file tools, strict refuses them",
      ).choices(['friendly', 'strict']),
    )
    .option('--move-servers', "move the client's MCP servers behind the gateway")
    .option('--declare-agents', 'add a line to OpenCode agent files that declares the agent in every call')
    .option('--agent-tools', "in strict mode: add contextd's tools to agent files that list built-in tools")
    .option('--no-agent-tools', 'leave agent files as they are, without a prompt')
    .option('--tools', 'write the tools as executables to .claude/tools; without --platform, only those')
    .option(
      '--door',
      'only send model requests through contextd (the model door), for use with the Claude Code plugin',
    )
    .option('--no-door', 'do not send model requests through contextd; hooks scrub the output of tools')
    .option('--dry-run', 'show the changes without writing them')
    .option('--undo', 'undo what init wrote here')
    .action(async (options: InitOptions) => {
      refuseContradictions(options)
      const project = options.user ? undefined : realpathSync(io.cwd)
      if (options.undo) {
        const { undoInit } = await import('./undo.ts')
        return undoInit(options, project, io)
      }
      const { setUp } = await import('./set-up.ts')
      return setUp(options, project, io)
    })
}

function refuseContradictions({ user, shared, require, undo }: InitOptions): void {
  const problem =
    user && shared
      ? '--shared is for a project, and --user for all your projects'
      : require && (!shared || undo)
        ? '--require only changes what --shared writes'
        : undefined
  if (problem !== undefined) throw new ContextdError('USAGE', { problem })
}
