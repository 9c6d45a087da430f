/** `ctxd` alone, and `ctxd status`. */

import type { Command } from 'commander'

import { newCommand, printJson, processIo, type CliIo, type JsonOption } from '@contextd/shared/cli/output'

export function glanceCommand(name: 'ctxd' | 'status', io: CliIo = processIo()): Command {
  const example = name === 'ctxd' ? 'ctxd' : 'ctxd status'
  return newCommand(name, 'print the status', example).action(async ({ json }: JsonOption) => {
    const { gatherFacts } = await import('./facts.ts')
    const glance = await gatherFacts(io)
    if (json) return printJson(glance, io)
    const { showGlance } = await import('./show.ts')
    showGlance(glance, io)
  })
}
