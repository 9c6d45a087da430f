/** `ctxd scrub`: the command of @contextd/scrub, with the user's rules and trusted projects. */

import { createScrubCommand } from '@contextd/scrub/internal/scrub-command'
import { processIo, type CliIo } from '@contextd/shared/cli/output'
import type { Command } from 'commander'

import { scrubHost } from './scrub-host.ts'

export function scrubCommand(io: CliIo = processIo()): Command {
  return createScrubCommand(scrubHost('ctxd scrub'), io)
}
