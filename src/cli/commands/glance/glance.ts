/** `ctxd` alone: status. */

import type { Command } from 'commander'

import { newCommand, printJson, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'

export function glanceCommand(io: CliIo = processIo()): Command {
  return newCommand('ctxd', 'print status', 'ctxd').action(async ({ json }: JsonOption) => {
    const { gatherFacts } = await import('./facts.ts')
    const glance = await gatherFacts(io)
    if (json) return printJson(glance, io)
    const { showGlance } = await import('./show.ts')
    showGlance(glance, io)
  })
}
