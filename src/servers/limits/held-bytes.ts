import { ContextdError } from '../../core/errors/errors.ts'

/**
 * A message is looked at when all of it is there, and kept until then: so what one caller can have us keep is bounded, over
 * however many connections and streams it sends.
 */
export interface HeldBytes {
  /** For one message of a caller. */
  open(caller: string): HeldMessage
}

export interface HeldMessage {
  /**
   * Fewer than none where some are let go. Throws CALLER_LIMITED where it is too much; what was kept of the message is let go
   * then. Throws CANCELLED where the message is not kept any more: whoever still works on it stops.
   */
  add(bytes: number): void
  /** The message is not kept any more. */
  close(): void
}

/** So many of the largest messages may one caller have under way. */
const messagesUnderWay = 16

export function createHeldBytes(maxMessageBytes: number): HeldBytes {
  const maxBytes = messagesUnderWay * maxMessageBytes
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
            limit: `${maxBytes} bytes of messages that are under way`,
          })
        },
        close,
      }
    },
  }
}
