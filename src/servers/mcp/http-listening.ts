import type { ServerResponse } from 'node:http'

import type { McpHttpHandler } from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { announceChanges } from './changes.ts'
import type { HttpSessions } from '../sessions/http-sessions.ts'
import { createClientSubscriptions, type ListeningConnection } from './subscriptions.ts'

/** Streams of clients that wait for changes, from 2026-07-28 on. */
export interface HttpListening {
  /** The listener that answers the request, and the remaining request; undefined if there is nothing more to answer. */
  open(
    response: ServerResponse,
    request: JsonObject,
    connection: ListeningConnection,
  ): Promise<{ handler: McpHttpHandler; request: JsonObject } | undefined>
  close(): Promise<void>
}

export interface HttpListeningOptions {
  readonly newHandler: () => McpHttpHandler
  readonly sessions: Pick<HttpSessions, 'hold'>
}

/** An SDK handler reports a change on all its streams, so each stream gets its own handler, for its session only. */
export function createHttpListening(
  runtime: Runtime,
  { newHandler, sessions }: HttpListeningOptions,
): HttpListening {
  const subscriptions = createClientSubscriptions(runtime)
  const streams = new Set<McpHttpHandler>()
  return {
    async open(response, asked, connection) {
      const handler = newHandler()
      streams.add(handler)
      const ended = new AbortController()
      response.once('close', () => {
        streams.delete(handler)
        ended.abort()
      })
      const { request, session, release } = await subscriptions.honour(asked, connection, ended.signal)
      if (ended.signal.aborted) {
        release()
        return undefined
      }
      const ends = [release, sessions.hold(session), announceChanges(runtime, handler.notify, () => session)]
      response.once('close', () => ends.forEach((end) => end()))
      return { handler, request }
    },
    async close() {
      await Promise.all([...streams].map((handler) => handler.close()))
    },
  }
}
