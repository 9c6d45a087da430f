import { errorCatalogue } from '../../../core/errors/errors.ts'
import { note, type CliIo } from '@contextd/shared/cli/output'

const endings = ['SIGINT', 'SIGTERM'] as const

/** Ctrl-C stops after the current step; a second one ends the program. */
export function stoppable(): { readonly signal: AbortSignal; stop(): void; release(): void } {
  const controller = new AbortController()
  const stop = (): void => controller.abort()
  for (const ending of endings) process.once(ending, stop)
  const release = (): void => {
    for (const ending of endings) process.off(ending, stop)
  }
  return { signal: controller.signal, stop, release }
}

export function sayStopped(left: string, io: CliIo): void {
  io.setExitCode(errorCatalogue.CANCELLED.exit)
  note(`stopped with ${left} remaining; run it again to continue`, io)
}
