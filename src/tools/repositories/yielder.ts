import { setImmediate as nextTurn } from 'node:timers/promises'

const maxBlockMs = 4

/** Called between pieces of long work: lets everything else in this process go on after some milliseconds. */
export function createYielder(): () => Promise<void> | undefined {
  let restAt = performance.now() + maxBlockMs
  return () => {
    if (performance.now() <= restAt) return undefined
    return nextTurn().then(() => void (restAt = performance.now() + maxBlockMs))
  }
}
