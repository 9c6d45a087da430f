/**
 * Requests that wait until a client of 2026-07-28 repeats its call with the answers. The client only gets an id, which is
 * valid for that client alone.
 */

import { randomUUID } from 'node:crypto'

import type { Call } from '../../core/call.ts'

export interface Rounds<T> {
  /** Returns the id. If too many are waiting, the oldest is abandoned. */
  put(call: Call, waiting: T): string
  /** Succeeds once, and only for the caller that `put` was called for. */
  take(call: Call, id: string): T | undefined
}

export interface RoundsOptions<T> {
  readonly max: number
  readonly timeoutMs: number
  readonly onAbandon: (waiting: T) => void
}

export function createRounds<T>({ max, timeoutMs, onAbandon }: RoundsOptions<T>): Rounds<T> {
  const waiting = new Map<string, { owner: string; value: T; timer: NodeJS.Timeout }>()
  const remove = (id: string): T | undefined => {
    const found = waiting.get(id)
    waiting.delete(id)
    clearTimeout(found?.timer)
    return found?.value
  }
  const abandon = (id: string): void => {
    const value = remove(id)
    if (value !== undefined) onAbandon(value)
  }
  return {
    put(call, value) {
      const [oldest] = waiting.keys()
      if (waiting.size >= max && oldest !== undefined) abandon(oldest)
      const id = randomUUID()
      const timer = setTimeout(abandon, timeoutMs, id)
      timer.unref()
      waiting.set(id, { owner: ownerOf(call), value, timer })
      return id
    },
    take: (call, id) => (waiting.get(id)?.owner === ownerOf(call) ? remove(id) : undefined),
  }
}

function ownerOf({ tenant, session, principal, server, tool }: Call): string {
  return JSON.stringify([tenant, session, principal?.agent ?? '', principal?.instance ?? '', server, tool])
}
