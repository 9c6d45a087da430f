/** Events of a stream on their way to the client. What is held keeps all that follow it back, so their order stays. Pure. */

import type { SseEvent } from './sse.ts'

export interface EventQueue {
  add(event: SseEvent): void
  /** What the client gets in the place of an event that waits. */
  replace(event: SseEvent, bytes: readonly Buffer[]): void
  /** All that wait, in order. */
  take(): Buffer[]
}

export function createEventQueue(): EventQueue {
  let waiting: SseEvent[] = []
  const replaced = new WeakMap<SseEvent, readonly Buffer[]>()
  return {
    add: (event) => void waiting.push(event),
    replace: (event, bytes) => void replaced.set(event, bytes),
    take() {
      const bytes = waiting.flatMap((event) => replaced.get(event) ?? [event.raw])
      waiting = []
      return bytes
    },
  }
}
