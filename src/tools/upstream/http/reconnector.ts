import type { StreamableHTTPClientTransportOptions } from '@modelcontextprotocol/client'

/** Reopens broken streams, after the delay that the server asks for, within bounds. */
export interface Reconnector {
  readonly options: Pick<
    StreamableHTTPClientTransportOptions,
    'reconnectionOptions' | 'reconnectionScheduler'
  >
  stop(): void
}

const minMs = 200
const maxMs = 60_000

export function createReconnector(): Reconnector {
  const timers = new Set<NodeJS.Timeout>()
  return {
    options: {
      reconnectionOptions: {
        initialReconnectionDelay: 1000,
        maxReconnectionDelay: 30_000,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: 10,
      },
      reconnectionScheduler(reconnect, delay) {
        const timer = setTimeout(
          () => {
            timers.delete(timer)
            reconnect()
          },
          Math.min(Math.max(delay, minMs), maxMs),
        )
        timers.add(timer.unref())
        return () => {
          clearTimeout(timer)
          timers.delete(timer)
        }
      },
    },
    stop() {
      for (const timer of timers) clearTimeout(timer)
      timers.clear()
    },
  }
}
