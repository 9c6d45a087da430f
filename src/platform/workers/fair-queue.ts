/** A bounded queue that serves its callers in turn: a caller with much waiting delays only itself. */

export interface QueueLimits {
  /** Items that may wait, and their sizes together. */
  readonly maxItems: number
  readonly maxSize: number
}

export interface FairQueueOptions {
  readonly perCaller: QueueLimits
  readonly total: QueueLimits
}

export interface FairQueue<T> {
  /** False where the caller, or the whole queue, has no room for it. */
  add(caller: string, size: number, item: T): boolean
  /** The oldest item of the caller whose turn it is, among those that `mayRun`. */
  take(mayRun: (caller: string) => boolean): { readonly caller: string; readonly item: T } | undefined
  /** False where it does not wait any more. */
  remove(caller: string, item: T): boolean
}

interface Waiting<T> {
  readonly entries: { readonly item: T; readonly size: number }[]
  size: number
}

export function createFairQueue<T>({ perCaller, total }: FairQueueOptions): FairQueue<T> {
  /** In the order of their turns: a caller that was served goes to the end. */
  const callers = new Map<string, Waiting<T>>()
  let items = 0
  let size = 0

  const drop = (caller: string, waiting: Waiting<T>, index: number): void => {
    const [entry] = waiting.entries.splice(index, 1)
    waiting.size -= entry!.size
    size -= entry!.size
    items -= 1
    callers.delete(caller)
    if (waiting.entries.length > 0) callers.set(caller, waiting)
  }

  return {
    add(caller, itemSize, item) {
      const waiting = callers.get(caller) ?? { entries: [], size: 0 }
      const hasRoom =
        fits(waiting.entries.length, waiting.size, itemSize, perCaller) && fits(items, size, itemSize, total)
      if (!hasRoom) return false
      waiting.entries.push({ item, size: itemSize })
      waiting.size += itemSize
      size += itemSize
      items += 1
      callers.set(caller, waiting)
      return true
    },
    take(mayRun) {
      for (const [caller, waiting] of callers) {
        if (!mayRun(caller)) continue
        const { item } = waiting.entries[0]!
        drop(caller, waiting, 0)
        return { caller, item }
      }
      return undefined
    },
    remove(caller, item) {
      const waiting = callers.get(caller)
      const index = waiting?.entries.findIndex((entry) => entry.item === item) ?? -1
      if (waiting === undefined || index === -1) return false
      drop(caller, waiting, index)
      return true
    },
  }
}

/** The first item always has room: it is no queue that makes others wait. */
function fits(items: number, size: number, more: number, { maxItems, maxSize }: QueueLimits): boolean {
  return items === 0 || (items < maxItems && size + more <= maxSize)
}
