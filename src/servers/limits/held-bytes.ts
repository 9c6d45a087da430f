import { ContextdError } from '../../core/errors/errors.ts'

/**
 * Messages are buffered until complete, so the bytes buffered for one caller are limited, across all its connections
 * and streams.
 */
export interface HeldBytes {
  /** For one message of a caller. */
  open(caller: string): HeldMessage
}

export interface HeldMessage {
  /**
   * A negative number releases bytes. Throws CALLER_LIMITED if the limit is exceeded, and releases the message.
   * Throws CANCELLED if the message was already closed, to stop further work on it.
   */
  add(bytes: number): void
  /** Releases the message. */
  close(): void
}

/** How many messages of maximum size one caller may have in flight. */
const maxMessagesInFlight = 16

export function createHeldBytes(maxMessageBytes: number): HeldBytes {
  const maxBytes = maxMessagesInFlight * maxMessageBytes
  const held = new Map<string, number>()
  const change = (caller: string, bytes: number): number => {
    const now = (held.get(caller) ?? 0) + bytes
    if (now > 0) held.set(caller, now)
    else held.delete(caller)
    return now
  }
  return {
    open(caller) {
      let own = 0
      let isOpen = true
      const close = (): void => {
        change(caller, -own)
        own = 0
        isOpen = false
      }
      return {
        add(bytes) {
          if (!isOpen) throw new ContextdError('CANCELLED')
          own += bytes
          if (change(caller, bytes) <= maxBytes) return
          close()
          throw new ContextdError('CALLER_LIMITED', {
            limit: `${maxBytes} bytes of messages in flight`,
          })
        },
        close,
      }
    },
  }
}
