/** One attempt to connect to a server with one variant of the protocol, and the connection that results. */

import { SSEClientTransport, SseError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../../core/ports.ts'
import {
  ConnectionLost,
  ServerError,
  type Connection,
  type ConnectOptions,
  type Exchange,
} from '../connection.ts'
import { createConversation } from '../rpc/conversation.ts'
import { modernVersion } from '../rpc/protocol.ts'
import type { HttpTransport } from '../server.ts'
import {
  closeConnection,
  loseConnection,
  onBodyRefused,
  onRequestFailure,
  trackCall,
  type HttpConnectionState,
  type ProtocolVariant,
} from './connection-state.ts'
import { requestFailure } from './failure.ts'
import { openFetch } from './fetch.ts'
import { callHeaders, withoutInvalidHeaders } from './param-headers.ts'
import { createReconnector } from './reconnector.ts'
import { savedSignIn } from './saved-sign-in.ts'
import { SignInNeeded } from './sign-in-needed.ts'
import type { SignIns } from './sign-ins.ts'
import { createHttpWire } from './wire.ts'

export interface HttpParts {
  /** The name of the server in its file. */
  readonly name: string
  readonly signIns: SignIns
  readonly clock: Clock
}

export interface ConnectionAttempt {
  open(): Promise<Connection | FailedAttempt>
  abort(why: string): void
}

export interface FailedAttempt {
  readonly failure: ConnectionLost
  readonly status?: number
  /** The server answered with an error of the protocol, so it speaks JSON-RPC here. */
  readonly wasAnswered: boolean
}

export function createAttempt(
  endpoint: HttpTransport,
  variant: ProtocolVariant,
  parts: HttpParts,
  { onNotice, maxMessageBytes }: ConnectOptions,
): ConnectionAttempt {
  const { name, signIns, clock } = parts
  const http = openFetch({
    headers: endpoint.headers,
    maxMessageBytes,
    clock,
    onRefused: (why) => onBodyRefused(connection, why),
    onResponse: (mark, isStream) => wire.onResponse(mark, isStream),
  })
  const reconnector = createReconnector()
  const signIn = savedSignIn({ name, transport: endpoint, signIns, clock })
  const shared = {
    fetch: http.fetch,
    // Our fetch follows no redirect to another origin; the SDK's would follow more.
    redirectPolicy: 'follow' as const,
    ...(signIn.provider !== undefined && { authProvider: signIn.provider }),
  }
  const url = new URL(endpoint.url)
  const transport =
    variant === 'sse'
      ? new SSEClientTransport(url, shared)
      : new StreamableHTTPClientTransport(url, { ...shared, ...reconnector.options })
  const failureOf: HttpConnectionState['failureOf'] = (error) =>
    requestFailure(error, {
      name,
      hasSession: transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined,
      hasCredentials: signIn.hasCredentials,
    })
  const wire = createHttpWire({
    transport,
    answersInResponse: variant !== 'sse',
    closingCancels: variant === 'modern',
    failureOf,
    receive(message) {
      connection.isVersionRefused = isVersionRefusal(message)
      conversation.receive(message)
    },
    onUnreadable: (id, why) => conversation.onUnreadable(id, why),
    onFailure(failure) {
      rememberScope(failure.error, endpoint.url, parts)
      onRequestFailure(connection, failure)
    },
    onTransportError(error) {
      if (error instanceof SseError && !connection.isOpening)
        loseConnection(connection, new ConnectionLost('its event stream ended', { sent: true }))
    },
  })
  const conversation = createConversation(wire, onNotice)
  let resolveEnded: (lost: ConnectionLost) => void = () => {}
  const ended = new Promise<ConnectionLost>((resolve) => (resolveEnded = resolve))
  const connection: HttpConnectionState = {
    variant,
    transport,
    http,
    signIn,
    reconnector,
    wire,
    conversation,
    failureOf,
    ended,
    resolveEnded,
    isOpening: true,
    openingFailure: undefined,
    isVersionRefused: false,
    over: undefined,
    isEnded: false,
    running: 0,
    onIdle: () => {},
  }
  return {
    open: () => attemptOpen(connection),
    abort: (why) => loseConnection(connection, new ConnectionLost(why, { sent: false })),
  }
}

async function attemptOpen(connection: HttpConnectionState): Promise<Connection | FailedAttempt> {
  try {
    return await open(connection)
  } catch (error) {
    const { openingFailure } = connection
    const { status, error: cause = error } = openingFailure ?? {}
    const why = error instanceof Error ? error.message : String(error)
    const lost = new ConnectionLost(why, { sent: false })
    loseConnection(connection, lost)
    return {
      failure: cause instanceof ConnectionLost ? cause : lost,
      ...(status !== undefined && { status }),
      wasAnswered: openingFailure === undefined || openingFailure.error instanceof ServerError,
    }
  }
}

async function open(connection: HttpConnectionState): Promise<Connection> {
  const { variant, transport, conversation, wire, ended } = connection
  await transport.start().catch((error: unknown) => {
    connection.openingFailure = connection.failureOf(error)
    throw connection.openingFailure.error
  })
  const protocol = variant === 'modern' ? 'modern' : 'legacy'
  const introduction = await conversation.begin(protocol).catch((error: unknown) => {
    const { isVersionRefused, over } = connection
    if (variant === 'modern' && isVersionRefused && over === undefined) return conversation.begin(protocol)
    throw error
  })
  await wire.ready()
  if (connection.over !== undefined) throw connection.over
  connection.isOpening = false
  return {
    ...introduction,
    request: (method, params, exchange) => request(connection, method, params, exchange),
    subscribe: (uri) => trackCall(connection, 'resources/subscribe', {}, () => conversation.subscribe(uri)),
    unsubscribe: (uri) =>
      trackCall(connection, 'resources/unsubscribe', {}, () => conversation.unsubscribe(uri)),
    ended,
    close: () => closeConnection(connection),
  }
}

async function request(
  connection: HttpConnectionState,
  method: string,
  params: JsonObject,
  exchange: Exchange,
): Promise<JsonObject> {
  const { variant, conversation } = connection
  const { signal, inputSchema } = exchange
  signal.throwIfAborted()
  const isModern = variant === 'modern'
  const headers =
    isModern && method === 'tools/call' && inputSchema !== undefined
      ? callHeaders(inputSchema, params.arguments)
      : {}
  const result = await trackCall(connection, method, headers, () =>
    conversation.request(method, params, exchange),
  )
  return isModern && method === 'tools/list' ? withoutInvalidHeaders(result) : result
}

/** Saves the scope that a call lacked, so that the next sign-in asks for it. */
function rememberScope(error: Error, url: string, { name, signIns }: HttpParts): void {
  if (!(error instanceof SignInNeeded)) return
  const { isStepUp, scope } = error.challenge
  if (isStepUp === true && scope !== undefined) signIns.want(name, url, scope)
}

/** The server supports our version but refused the first request: it must be repeated in that version. */
function isVersionRefusal({ error }: JsonObject): boolean {
  if (!isJsonObject(error) || error.code !== -32022 || !isJsonObject(error.data)) return false
  const { supported } = error.data
  return Array.isArray(supported) && supported.includes(modernVersion)
}
