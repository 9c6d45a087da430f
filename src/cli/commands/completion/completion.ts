/** `ctxd completion`: shell completion scripts. */

import { Argument, type Command } from 'commander'

import { newCommand, printJson, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'
import { scripts, shells, type ShellName } from './scripts.ts'

export function completionCommand(io: CliIo = processIo()): Command {
  return newCommand(
    'completion',
    'print the shell completion script for ctxd, contextd and contextd-proxy',
    'ctxd completion bash >> ~/.bashrc',
  )
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action((shell: ShellName, { json }: JsonOption) => {
      if (json) printJson({ shell, script: scripts[shell] }, io)
      else io.stdout.write(scripts[shell])
    })
}
