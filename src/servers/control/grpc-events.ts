import { ContextdError } from '../../core/errors/errors.ts'

export interface BoundedQueue<T> extends AsyncIterable<T> {
  push(event: T): void
  /** Backpressure: a promise that resolves when there is room; undefined if there is room already. */
  room(): Promise<void> | undefined
  /** Ends the queue; an error is delivered after all queued items. */
  end(error?: unknown): void
}

/** A slow reader must not fill our memory. */
const maxWaiting = 10_000
const enoughWaiting = 1000

/** An ordered queue between a producer and a reader. `onOverflow` is called once, to stop the producer. */
export function createBoundedQueue<T>(onOverflow: () => void): BoundedQueue<T> {
  let waiting: T[] = []
  let isEnded = false
  let failure: unknown
  let wake = (): void => {}
  let room: PromiseWithResolver | undefined

  const makeRoom = (): void => {
    room?.resolve()
    room = undefined
  }

  const end = (error?: unknown): void => {
    if (isEnded) return
    isEnded = true
    failure = error
    wake()
    makeRoom()
  }

  return {
    push(event) {
      if (isEnded) return
      if (waiting.length >= maxWaiting) {
        end(new ContextdError('CALLER_LIMITED', { limit: `${maxWaiting} unread events` }))
        return onOverflow()
      }
      waiting.push(event)
      wake()
    },
    room() {
      if (isEnded || waiting.length < enoughWaiting) return undefined
      room ??= withResolver()
      return room.promise
    },
    end,
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const ready = waiting
        waiting = []
        makeRoom()
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

interface PromiseWithResolver {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

function withResolver(): PromiseWithResolver {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}
