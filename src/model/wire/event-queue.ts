/**
 * Queues events of a stream for the client. A held event also holds all later ones, so their order is preserved.
 * Pure.
 */

import type { SseEvent } from './sse.ts'

export interface EventQueue {
  add(event: SseEvent): void
  /** Sets what the client receives in place of a queued event. */
  replace(event: SseEvent, bytes: readonly Buffer[]): void
  /** Removes and returns all queued events, in order. */
  take(): Buffer[]
}

export function createEventQueue(): EventQueue {
  let queued: SseEvent[] = []
  const replaced = new WeakMap<SseEvent, readonly Buffer[]>()
  return {
    add: (event) => void queued.push(event),
    replace: (event, bytes) => void replaced.set(event, bytes),
    take() {
      const bytes = queued.flatMap((event) => replaced.get(event) ?? [event.raw])
      queued = []
      return bytes
    },
  }
}
