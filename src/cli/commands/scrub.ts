/** `ctxd scrub`: the command of @contextd/scrub, with the user's rules and trusted projects. */

import { scrubCommand as newScrubCommand } from '@contextd/scrub/internal/scrub-command'
import { processIo, type CliIo } from '@contextd/shared/cli/output'
import type { Command } from 'commander'

export function scrubCommand(io: CliIo = processIo()): Command {
  return newScrubCommand(
    {
      program: 'ctxd scrub',
      openScrubber: async (options) =>
        (await import('../../stages/scrub/open-scrubber.ts')).openScrubber(options),
    },
    io,
  )
}
