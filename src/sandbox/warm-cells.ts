import type { Cell } from './cell.ts'

export interface WarmCells<Plan> {
  /** A prepared cell if its plan is still valid, otherwise a new one. Never one that was used. */
  take(plan: Plan): Cell
  /** Prepares a cell for the next command of this kind, with the plan at that time. */
  prepare(plan: () => Plan): void
  close(): Promise<void>
}

/** Each is three sleeping processes, so few are kept, and not for long. */
const maxWaiting = 2
const maxAgeMs = 60_000

/** Creating a sandbox takes longer than most commands, so one is kept waiting behind its gate. */
export function createWarmCells<Plan extends { readonly key: string }>(
  create: (plan: Plan) => Cell,
): WarmCells<Plan> {
  const waiting = new Map<string, { cell: Cell; timer: NodeJS.Timeout }>()
  const alive = new Set<Cell>()
  let isClosed = false

  const track = (cell: Cell): Cell => {
    alive.add(cell)
    void cell.removed.finally(() => alive.delete(cell))
    return cell
  }
  const drop = (key: string): void => {
    const found = waiting.get(key)
    if (found === undefined) return
    waiting.delete(key)
    clearTimeout(found.timer)
    found.cell.kill()
  }

  const prepareOne = (plan: Plan): void => {
    const { key } = plan
    if (waiting.has(key)) return
    while (waiting.size >= maxWaiting) drop(waiting.keys().next().value!)
    const cell = track(create(plan))
    const timer = setTimeout(() => drop(key), maxAgeMs)
    timer.unref()
    waiting.set(key, { cell, timer })
  }

  return {
    take(plan) {
      if (isClosed) throw new Error('the sandbox is closed')
      const { key } = plan
      const found = waiting.get(key)
      if (found !== undefined && !found.cell.isOver()) {
        waiting.delete(key)
        clearTimeout(found.timer)
        return found.cell
      }
      drop(key)
      return track(create(plan))
    },
    prepare(plan) {
      // After the current command's result: creating it must not compete with the caller's next step.
      setImmediate(() => {
        if (isClosed) return
        try {
          prepareOne(plan())
        } catch {
          // The folders may have changed or been deleted; the next command reports that.
        }
      })
    },
    async close() {
      isClosed = true
      for (const key of waiting.keys()) drop(key)
      for (const cell of alive) cell.kill()
      await Promise.allSettled([...alive].map(({ removed }) => removed))
    },
  }
}
