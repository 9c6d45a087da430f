/** `ctxd background`: the background commands that agents run on this machine. */

import type { Command } from 'commander'

import {
  minuteOf,
  newCommand,
  printJson,
  printLine,
  printTable,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { resolvePaths } from '../../platform/files/paths.ts'
import { listCommands } from '../../tools/shell/background/command-journal.ts'

export function backgroundCommand(io: CliIo = processIo()): Command {
  return newCommand('background', 'list background commands of agents', 'ctxd background').action(
    ({ json }: JsonOption) => list(json === true, io),
  )
}

function list(json: boolean, io: CliIo): void {
  const commands = listCommands(resolvePaths(io.env).commands)
  if (json) return printJson({ commands }, io)
  if (commands.length === 0) return printLine('No background commands are running.', io)
  const rows = commands.map(({ id, agent, started_at, project, command }) => [
    id,
    agent,
    minuteOf(started_at),
    project,
    command.replaceAll('\n', ' '),
  ])
  printTable(['ID', 'AGENT', 'STARTED', 'PROJECT', 'COMMAND'], rows, io)
}
