/** `ctxd scan`: the command of @contextd/scrub, with the user's rules and trusted projects. */

import { createScanCommand } from '@contextd/scrub/internal/scan-command'
import { processIo, type CliIo } from '@contextd/shared/cli/output'
import type { Command } from 'commander'

export function scanCommand(io: CliIo = processIo()): Command {
  return createScanCommand(
    {
      program: 'ctxd scan',
      settings: async (env) => (await import('../../stages/scrub/scan-settings.ts')).scanSettings(env),
    },
    io,
  )
}
