/** What an HTTP connection consists of, and how it fails, expires and closes. */

import { SSEClientTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { settledWithin } from '../../../platform/settled-within.ts'
import { ConnectionLost, ServerError } from '../connection.ts'
import type { Conversation } from '../rpc/conversation.ts'
import type { RequestFailure } from './failure.ts'
import type { HttpFetch } from './fetch.ts'
import type { Reconnector } from './reconnector.ts'
import type { SavedSignIn } from './saved-sign-in.ts'
import type { HttpWire } from './wire.ts'

/** The protocol since 2026-07-28, up to 2025-11-25, and the older one with a single stream for all answers. */
export type ProtocolVariant = 'modern' | 'legacy' | 'sse'

export interface HttpConnectionState {
  readonly variant: ProtocolVariant
  readonly transport: SSEClientTransport | StreamableHTTPClientTransport
  readonly http: HttpFetch
  readonly signIn: SavedSignIn
  readonly reconnector: Reconnector
  readonly wire: HttpWire
  readonly conversation: Conversation
  readonly failureOf: (error: unknown) => RequestFailure
  readonly ended: Promise<ConnectionLost>
  readonly resolveEnded: (lost: ConnectionLost) => void
  isOpening: boolean
  /** The first failure while opening. */
  openingFailure: RequestFailure | undefined
  isVersionRefused: boolean
  /** Why no more requests are sent. */
  over: ConnectionLost | undefined
  isEnded: boolean
  /** Calls that have not returned yet. */
  running: number
  onIdle: () => void
}

/** For a server to acknowledge the end of its session. */
const farewellMs = 2000

function endConversation(connection: HttpConnectionState, lost: ConnectionLost): void {
  if (connection.isEnded) return
  connection.isEnded = true
  connection.over ??= lost
  connection.wire.end(lost.message)
  connection.conversation.end(lost)
  connection.resolveEnded(lost)
}

function releaseResources({ reconnector, transport, http, signIn }: HttpConnectionState): void {
  reconnector.stop()
  void transport.close().catch(() => {})
  http.close()
  signIn.close()
}

/** Fails all running calls and closes everything. */
export function loseConnection(connection: HttpConnectionState, lost: ConnectionLost): void {
  endConversation(connection, lost)
  releaseResources(connection)
}

/** Called when the server exceeded a limit. */
export function onBodyRefused(connection: HttpConnectionState, why: string): void {
  const error = new ConnectionLost(why, { sent: true })
  if (connection.isOpening) connection.openingFailure ??= { error, isOver: true }
  loseConnection(connection, error)
}

export function onRequestFailure(connection: HttpConnectionState, failure: RequestFailure): void {
  const { error, isOver } = failure
  const { isOpening } = connection
  if (isOpening) connection.openingFailure ??= failure
  if (error instanceof ServerError || !(isOpening || isOver)) return
  if (isOpening || error.sent) return loseConnection(connection, error)
  // The session has expired: no new requests, but the server answers each running call itself.
  connection.over ??= error
  connection.resolveEnded(error)
}

/** Counts running calls, so that closing an expired connection can wait for them. */
export function trackCall<T>(
  connection: HttpConnectionState,
  method: string,
  headers: Record<string, string>,
  work: () => Promise<T>,
): Promise<T> {
  const { over, wire } = connection
  if (over !== undefined) return Promise.reject(new ConnectionLost(over.message, { sent: false }))
  connection.running += 1
  return new Promise<T>((resolve, reject) => {
    wire.withContext({ method, headers, onLost: reject }, work).then(resolve, reject)
  }).finally(() => {
    connection.running -= 1
    if (connection.running === 0) connection.onIdle()
  })
}

export async function closeConnection(connection: HttpConnectionState): Promise<void> {
  const { over, running, transport } = connection
  if (over !== undefined && running > 0) await settledWithin(untilIdle(connection), farewellMs)
  endConversation(connection, new ConnectionLost('the connection was closed', { sent: false }))
  if (over === undefined && transport instanceof StreamableHTTPClientTransport)
    await settledWithin(transport.terminateSession(), farewellMs)
  releaseResources(connection)
}

function untilIdle(connection: HttpConnectionState): Promise<void> {
  return new Promise((resolve) => (connection.onIdle = resolve))
}
