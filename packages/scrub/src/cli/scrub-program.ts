/** `contextd-scrub`: the commands of this package on their own, without contextd's configuration. */

import type { Command } from 'commander'

import { newGroup, note, processIo, runCli, type CliIo } from '@contextd/shared/cli/output'
import { VERSION } from '@contextd/shared/version'
import { createDetectCommand } from './detect-command.ts'
import type { ScrubHost } from './host.ts'
import { createScanCommand } from './scan-command.ts'
import { createScrubCommand } from './scrub-command.ts'

/** The command as users type it: the program of an installed package is not in their `PATH`. */
const command = 'npx @contextd/scrub'

export function scrubProgram(io: CliIo = processIo()): Command {
  return newGroup(
    'contextd-scrub',
    'Replace secrets in text with tokens, and find them in files and commits.',
    `cat app.log | ${command}`,
  )
    .version(VERSION)
    .addHelpText(
      'after',
      '\nWith no command, runs scrub: it reads stdin and writes the text without secrets.',
    )
    .addCommand(createScrubCommand(hostFor(command), io), { isDefault: true })
    .addCommand(createScanCommand({ program: `${command} scan` }, io))
    .addCommand(createDetectCommand(hostFor(`${command} detect`), io))
}

function hostFor(program: string): ScrubHost {
  return {
    program,
    openScrubber: async (options) =>
      (await import('./open-builtin-scrubber.ts')).openBuiltinScrubber(options),
  }
}

export async function runScrubProgram(io: CliIo = processIo()): Promise<void> {
  if (process.argv.length === 2 && process.stdin.isTTY)
    note('reading text from the terminal; press Ctrl-D to end it, --help lists the commands', io)
  await runCli(scrubProgram(io), io)
}
