import { setImmediate as nextTurn } from 'node:timers/promises'

const maxBlockMs = 4

/** To be called between steps of long work: yields to the event loop every few milliseconds. */
export function createYielder(): () => Promise<void> | undefined {
  let restAt = performance.now() + maxBlockMs
  return () => {
    if (performance.now() <= restAt) return undefined
    return nextTurn().then(() => void (restAt = performance.now() + maxBlockMs))
  }
}
