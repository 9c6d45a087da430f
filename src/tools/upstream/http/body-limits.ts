/** What may come in one answer. A server that goes beyond it is not talked to any more. */

import type { Clock } from '../../../core/ports.ts'

/** A body that was cut off, and why. */
export class BodyRefused extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'BodyRefused'
  }
}

/** Counts what passes; throws `BodyRefused` where it is too much. */
export type BodyLimit = (chunk: Uint8Array) => void

export function wholeLimit(maxBytes: number): BodyLimit {
  let size = 0
  return (chunk) => {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
  }
}

const lineFeed = 0x0a
const carriageReturn = 0x0d

/** Events that may come at once, and how many a second in the long run. No honest server comes near. */
const maxEvents = 20_000
const eventsPerSecond = 2000

/** For a stream of events, which may be endless: each event counts for itself, and so does their number. */
export function eventLimit(maxBytes: number, clock: Clock): BodyLimit {
  let size = 0
  let isLineStart = true
  let previous = 0
  let allowance = maxEvents
  let countedAt = clock()

  const countEvent = (): void => {
    size = 0
    allowance -= 1
    if (allowance >= 0) return
    const now = clock()
    allowance = Math.min(maxEvents, Math.floor(((now - countedAt) / 1000) * eventsPerSecond)) - 1
    countedAt = now
    if (allowance < 0) throw new BodyRefused(`it sends more than ${eventsPerSecond} events a second`)
  }

  return (chunk) => {
    for (const byte of chunk) {
      size += 1
      if (byte === lineFeed && previous === carriageReturn) {
        // The second half of one line end.
      } else if (byte === lineFeed || byte === carriageReturn) {
        if (isLineStart) countEvent()
        isLineStart = true
      } else isLineStart = false
      previous = byte
      if (size > maxBytes) throw tooLarge(maxBytes)
    }
  }
}

function tooLarge(maxBytes: number): BodyRefused {
  return new BodyRefused(`it sent a message of more than ${maxBytes} bytes`)
}
