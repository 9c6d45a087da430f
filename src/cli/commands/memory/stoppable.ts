import { errorCatalogue } from '../../../core/errors.ts'
import { note, type CliIo } from '../../ui/output.ts'

/** Ctrl-C ends the work after the step it is in; a second one ends the program. */
export function stoppable(): { readonly signal: AbortSignal; release(): void } {
  const stop = new AbortController()
  const onInterrupt = (): void => stop.abort()
  process.once('SIGINT', onInterrupt)
  return { signal: stop.signal, release: () => process.off('SIGINT', onInterrupt) }
}

export function sayStopped(left: string, io: CliIo): void {
  io.setExitCode(errorCatalogue.CANCELLED.exit)
  note(`stopped with ${left} to go; what is done stays, run it again to go on`, io)
}
