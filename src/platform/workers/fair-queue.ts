/** A bounded queue that serves its callers in turn: a caller with many items delays only itself. */

export interface QueueLimits {
  /** Max number of waiting items, and their max total size. */
  readonly maxItems: number
  readonly maxSize: number
}

export interface FairQueueOptions {
  readonly perCaller: QueueLimits
  readonly total: QueueLimits
}

export interface FairQueue<T> {
  /** False if the caller's or the total limit is reached. */
  add(caller: string, size: number, item: T): boolean
  /** The oldest item of the next caller for which `mayRun` is true. */
  take(mayRun: (caller: string) => boolean): { readonly caller: string; readonly item: T } | undefined
  /** False if it is no longer waiting. */
  remove(caller: string, item: T): boolean
}

interface CallerQueue<T> {
  readonly entries: { readonly item: T; readonly size: number }[]
  size: number
}

export function createFairQueue<T>({ perCaller, total }: FairQueueOptions): FairQueue<T> {
  /** In order of their turns: a caller that was served moves to the end. */
  const callers = new Map<string, CallerQueue<T>>()
  let items = 0
  let size = 0

  const drop = (caller: string, waiting: CallerQueue<T>, index: number): void => {
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
        hasRoomFor(waiting.entries.length, waiting.size, itemSize, perCaller) &&
        hasRoomFor(items, size, itemSize, total)
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

/** The first item is always accepted, because it makes no other item wait. */
function hasRoomFor(items: number, size: number, more: number, { maxItems, maxSize }: QueueLimits): boolean {
  return items === 0 || (items < maxItems && size + more <= maxSize)
}
