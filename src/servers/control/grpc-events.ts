import { ContextdError } from '../../core/errors.ts'

export interface EventQueue<T> extends AsyncIterable<T> {
  push(event: T): void
  /** No more will come; with an error, whoever reads gets that after what came before it. */
  end(error?: unknown): void
}

/** A client that reads slower than things happen must not fill our memory. */
const mostWaiting = 10_000

/** From whoever tells to whoever reads, in order. `onOverflow` is called once, for who should stop telling. */
export function createEventQueue<T>(onOverflow: () => void): EventQueue<T> {
  let waiting: T[] = []
  let isEnded = false
  let failure: unknown
  let wake = (): void => {}

  const end = (error?: unknown): void => {
    if (isEnded) return
    isEnded = true
    failure = error
    wake()
  }

  return {
    push(event) {
      if (isEnded) return
      if (waiting.length >= mostWaiting) {
        end(new ContextdError('CALLER_LIMITED', { limit: `${mostWaiting} events that wait to be read` }))
        return onOverflow()
      }
      waiting.push(event)
      wake()
    },
    end,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const ready = waiting
        waiting = []
        yield* ready
        if (waiting.length > 0) continue
        if (failure !== undefined) throw failure
        if (isEnded) return
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
  }
}
