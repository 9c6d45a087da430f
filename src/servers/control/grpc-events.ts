import { ContextdError } from '../../core/errors/errors.ts'

export interface BoundedQueue<T> extends AsyncIterable<T> {
  push(event: T): void
  /** A promise where enough is waiting: whoever can wait does so until there is room. */
  room(): Promise<void> | undefined
  /** No more will come; with an error, whoever reads gets that after what came before it. */
  end(error?: unknown): void
}

/** A client that reads slower than things happen must not fill our memory. */
const maxWaiting = 10_000
const enoughWaiting = 1000

/** From whoever tells to whoever reads, in order. `onOverflow` is called once, for who should stop telling. */
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
        end(new ContextdError('CALLER_LIMITED', { limit: `${maxWaiting} events that wait to be read` }))
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
