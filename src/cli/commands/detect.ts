/** `ctxd detect`: the commands of @contextd/scrub, with the user's rules and trusted projects. */

import { createDetectCommand } from '@contextd/scrub/internal/detect-command'
import { processIo, type CliIo } from '@contextd/shared/cli/output'
import type { Command } from 'commander'

import { scrubHost } from './scrub-host.ts'

export function detectCommand(io: CliIo = processIo()): Command {
  return createDetectCommand(scrubHost('ctxd detect'), io)
}
