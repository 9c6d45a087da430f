import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import {
  createClientSubscriptions,
  isListenRequest,
  type Honoured,
  type ListeningConnection,
} from './subscriptions.ts'

/** A listen request that is being checked or is active. */
interface Listening {
  readonly cancelled: AbortController
  honoured?: Honoured
}

/** Checks requests to listen for resources before the SDK sees them; everything else passes in its original order. */
export function honourListening(
  transport: Transport,
  runtime: Runtime,
  connection: ListeningConnection,
): Transport {
  const subscriptions = createClientSubscriptions(runtime)
  const listening = new Map<unknown, Listening>()

  const end = (id: unknown): void => {
    const entry = listening.get(id)
    if (entry === undefined) return
    listening.delete(id)
    entry.cancelled.abort()
    entry.honoured?.release()
    connection.onUnanswered?.(id as RequestId)
  }
  const begin = async (request: JsonObject & { id: RequestId }): Promise<void> => {
    const entry: Listening = { cancelled: new AbortController() }
    listening.set(request.id, entry)
    const { signal } = entry.cancelled
    const honoured = await subscriptions.honour(request, connection, signal)
    if (signal.aborted) return honoured.release()
    entry.honoured = honoured
    wrapped.onmessage?.(honoured.request as unknown as JSONRPCMessage)
  }

  const wrapped: Transport = {
    async start() {
      const handlers: Pick<Transport, 'onclose' | 'onerror' | 'onmessage'> = {
        onclose: () => wrapped.onclose?.(),
        onerror: (error) => wrapped.onerror?.(error),
        onmessage(message, extra) {
          if (isListenRequest(message)) return void begin(message as JsonObject & { id: RequestId })
          if ('method' in message && message.method === 'notifications/cancelled') end(cancelledIn(message))
          wrapped.onmessage?.(message, extra)
        },
      }
      await Object.assign(transport, handlers).start()
    },
    send(message, options) {
      // An answer ends it: its id may be reused from now on.
      if (!('method' in message)) end(message.id)
      return transport.send(message, options)
    },
    close: () => transport.close(),
  }
  return wrapped
}

function cancelledIn({ params }: { params?: unknown }): unknown {
  return isJsonObject(params) ? params.requestId : undefined
}
