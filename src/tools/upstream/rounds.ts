/**
 * What waits while a client of 2026-07-28 fetches the answer to a question and makes its call again. It stays here: the
 * client gets only a name for it, which nobody else can use.
 */

import { randomUUID } from 'node:crypto'

import type { Call } from '../../core/call.ts'

export interface Rounds<T> {
  /** Answers the name. Where too many wait, the oldest is given up. */
  put(call: Call, waiting: T): string
  /** Only once, and only for the caller it was put away for. */
  take(call: Call, name: string): T | undefined
}

export interface RoundsOptions<T> {
  readonly most: number
  readonly patienceMs: number
  readonly giveUp: (waiting: T) => void
}

export function createRounds<T>({ most, patienceMs, giveUp }: RoundsOptions<T>): Rounds<T> {
  const waiting = new Map<string, { owner: string; value: T; timer: NodeJS.Timeout }>()
  const remove = (name: string): T | undefined => {
    const found = waiting.get(name)
    waiting.delete(name)
    clearTimeout(found?.timer)
    return found?.value
  }
  const abandon = (name: string): void => {
    const value = remove(name)
    if (value !== undefined) giveUp(value)
  }
  return {
    put(call, value) {
      const [oldest] = waiting.keys()
      if (waiting.size >= most && oldest !== undefined) abandon(oldest)
      const name = randomUUID()
      const timer = setTimeout(abandon, patienceMs, name)
      timer.unref()
      waiting.set(name, { owner: ownerOf(call), value, timer })
      return name
    },
    take: (call, name) => (waiting.get(name)?.owner === ownerOf(call) ? remove(name) : undefined),
  }
}

function ownerOf({ tenant, session, principal, server, tool }: Call): string {
  return JSON.stringify([tenant, session, principal?.agent ?? '', principal?.instance ?? '', server, tool])
}
