/** Size and rate limits of response bodies. A server that exceeds them is disconnected. */

import type { Clock } from '../../../core/ports.ts'

/** The body exceeded a limit. */
export class BodyRefused extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'BodyRefused'
  }
}

/** To be called with every chunk. Throws `BodyRefused` when the limit is exceeded. */
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

/** A burst of events, then a rate. No honest server comes close. */
const eventBurst = 20_000
const eventsPerSecond = 2000

/** For event streams, which may be endless: limits the size of each event and their rate. */
export function eventLimit(maxBytes: number, clock: Clock): BodyLimit {
  let size = 0
  let isLineStart = true
  let previous = 0
  let allowance = eventBurst
  let countedAt = clock()

  const countEvent = (): void => {
    size = 0
    allowance -= 1
    if (allowance >= 0) return
    const now = clock()
    allowance = Math.min(eventBurst, Math.floor(((now - countedAt) / 1000) * eventsPerSecond)) - 1
    countedAt = now
    if (allowance < 0) throw new BodyRefused(`it sends more than ${eventsPerSecond} events per second`)
  }

  return (chunk) => {
    for (const byte of chunk) {
      size += 1
      if (byte === lineFeed && previous === carriageReturn) {
        // The second character of a CRLF.
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
