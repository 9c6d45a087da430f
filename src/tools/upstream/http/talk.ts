/** One try to talk to a server in one manner, and the connection that comes of it. */

import { SSEClientTransport, SseError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../../core/ports.ts'
import { settledWithin } from '../../../platform/settled-within.ts'
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
import { requestFailure, type RequestFailure } from './failure.ts'
import { openFetch } from './fetch.ts'
import { paramHeaders, scanHeaders, withoutInvalidHeaders } from './param-headers.ts'
import { createReconnector } from './reconnector.ts'
import { savedSignIn } from './saved-sign-in.ts'
import { SignInNeeded } from './sign-in-needed.ts'
import type { SignIns } from './sign-ins.ts'
import { createHttpWire } from './wire.ts'

/** From 2026-07-28 on, up to 2025-11-25, and the older way with one stream for all answers. */
export type Manner = 'modern' | 'legacy' | 'sse'

export interface HttpParts {
  /** What people call the server. */
  readonly name: string
  readonly signIns: SignIns
  readonly clock: Clock
}

export interface Talk {
  begin(): Promise<Connection | FalseStart>
  lose(why: string): void
}

export interface FalseStart {
  readonly failure: ConnectionLost
  readonly status?: number
  /** The server understood the question well enough to refuse it. */
  readonly wasAnswered: boolean
}

/** For a server to take note that its session is over. */
const farewellMs = 2000

export function openTalk(
  endpoint: HttpTransport,
  manner: Manner,
  { name, signIns, clock }: HttpParts,
  { onNotice, maxMessageBytes }: ConnectOptions,
): Talk {
  const url = new URL(endpoint.url)
  /** Why no more requests are made. */
  let over: ConnectionLost | undefined
  let isEnded = false
  let isOpening = true
  let openingFailure: RequestFailure | undefined
  let isVersionRefused = false
  let resolveEnded: (lost: ConnectionLost) => void
  const ended = new Promise<ConnectionLost>((resolve) => (resolveEnded = resolve))
  const scans = new WeakMap<JsonObject, ReturnType<typeof scanHeaders>>()

  const http = openFetch({
    headers: endpoint.headers,
    maxMessageBytes,
    clock,
    onRefused(why) {
      const error = new ConnectionLost(why, { sent: true })
      if (isOpening) openingFailure ??= { error, isOver: true }
      lose(error)
    },
    onAnswer: (mark, isStream) => wire.answered(mark, isStream),
  })
  const reconnector = createReconnector()
  const signedIn = savedSignIn({ name, transport: endpoint, signIns, clock })
  const common = {
    fetch: http.fetch,
    // Ours follows no redirect to another origin; theirs would follow more than ours.
    redirectPolicy: 'follow' as const,
    ...(signedIn.provider !== undefined && { authProvider: signedIn.provider }),
  }
  const transport =
    manner === 'sse'
      ? new SSEClientTransport(url, common)
      : new StreamableHTTPClientTransport(url, { ...common, ...reconnector.options })

  const hasSession = (): boolean =>
    transport instanceof StreamableHTTPClientTransport && transport.sessionId !== undefined

  const wire = createHttpWire({
    transport,
    answersInPlace: manner !== 'sse',
    hangsUp: () => manner === 'modern',
    failureOf: (error) =>
      requestFailure(error, { name, hasSession: hasSession(), hasCredentials: signedIn.hasCredentials }),
    receive(message) {
      isVersionRefused = refusesVersion(message)
      conversation.receive(message)
    },
    spoilt: (id, why) => conversation.spoilt(id, why),
    onFailure(failure) {
      const { error, isOver } = failure
      if (
        error instanceof SignInNeeded &&
        error.challenge.isStepUp === true &&
        error.challenge.scope !== undefined
      ) {
        signIns.want(name, endpoint.url, error.challenge.scope)
      }
      if (isOpening) openingFailure ??= failure
      if (error instanceof ServerError || !(isOpening || isOver)) return
      // A session that is over is over for all its calls; each of them hears so from the server itself.
      if (isOpening || error.sent) lose(error)
      else expire(error)
    },
    onComplaint(error) {
      if (error instanceof SseError && !isOpening)
        lose(new ConnectionLost('its event stream ended', { sent: true }))
    },
  })
  const conversation = createConversation(wire, onNotice)

  const end = (lost: ConnectionLost): void => {
    if (isEnded) return
    isEnded = true
    over ??= lost
    wire.end(lost.message)
    conversation.end(lost)
    resolveEnded(lost)
  }
  const expire = (lost: ConnectionLost): void => {
    over ??= lost
    resolveEnded(lost)
  }
  const shut = (): void => {
    reconnector.stop()
    void transport.close().catch(() => {})
    http.close()
    signedIn.close()
  }
  const lose = (lost: ConnectionLost): void => {
    end(lost)
    shut()
  }

  /** Calls that are still to hear how they ended. */
  let running = 0
  let whenQuiet: () => void = () => {}
  const quiet = (): Promise<void> => new Promise((resolve) => (whenQuiet = resolve))

  const begin = async (): Promise<Connection> => {
    await transport.start().catch((error: unknown) => {
      openingFailure = requestFailure(error, {
        name,
        hasSession: false,
        hasCredentials: signedIn.hasCredentials,
      })
      throw openingFailure.error
    })
    const protocol = manner === 'modern' ? 'modern' : 'legacy'
    const introduction = await conversation.begin(protocol).catch((error: unknown) => {
      if (manner === 'modern' && isVersionRefused && over === undefined) return conversation.begin(protocol)
      throw error
    })
    await wire.ready()
    if (over !== undefined) throw over
    isOpening = false
    return { ...introduction, request, subscribe, unsubscribe, ended, close }
  }

  const attended = <T>(
    method: string,
    headers: Record<string, string>,
    work: () => Promise<T>,
  ): Promise<T> => {
    if (over !== undefined) return Promise.reject(new ConnectionLost(over.message, { sent: false }))
    running += 1
    return new Promise<T>((resolve, reject) => {
      wire.attend({ method, headers, onLost: reject }, work).then(resolve, reject)
    }).finally(() => {
      running -= 1
      if (running === 0) whenQuiet()
    })
  }

  const headersFor = (
    method: string,
    params: JsonObject,
    { inputSchema }: Exchange,
  ): Record<string, string> => {
    if (manner !== 'modern' || method !== 'tools/call' || inputSchema === undefined) return {}
    const scan = scans.get(inputSchema) ?? scanHeaders(inputSchema)
    scans.set(inputSchema, scan)
    if ('problem' in scan) {
      throw new ServerError({
        code: -32602,
        message: `the definition of the tool is not valid: ${scan.problem}`,
      })
    }
    return paramHeaders(scan.declarations, params.arguments)
  }

  const request: Connection['request'] = async (method, params, exchange) => {
    exchange.signal.throwIfAborted()
    const headers = headersFor(method, params, exchange)
    const result = await attended(method, headers, () => conversation.request(method, params, exchange))
    return manner === 'modern' && method === 'tools/list' ? withoutInvalidHeaders(result) : result
  }
  const subscribe = (uri: string): Promise<void> =>
    attended('resources/subscribe', {}, () => conversation.subscribe(uri))
  const unsubscribe = (uri: string): Promise<void> =>
    attended('resources/unsubscribe', {}, () => conversation.unsubscribe(uri))

  const close = async (): Promise<void> => {
    const isOpen = over === undefined
    if (!isOpen && running > 0) await settledWithin(quiet(), farewellMs)
    end(new ConnectionLost('the connection was closed', { sent: false }))
    if (isOpen && transport instanceof StreamableHTTPClientTransport)
      await settledWithin(transport.terminateSession(), farewellMs)
    shut()
  }

  return {
    async begin() {
      try {
        return await begin()
      } catch (error) {
        const { status, error: cause = error } = openingFailure ?? {}
        const why = error instanceof Error ? error.message : String(error)
        lose(new ConnectionLost(why, { sent: false }))
        return {
          failure: cause instanceof ConnectionLost ? cause : new ConnectionLost(why, { sent: false }),
          ...(status !== undefined && { status }),
          wasAnswered: openingFailure === undefined || openingFailure.error instanceof ServerError,
        }
      }
    },
    lose: (why) => lose(new ConnectionLost(why, { sent: false })),
  }
}

/** The server knows our version and would rather be asked again in it. */
function refusesVersion({ error }: JsonObject): boolean {
  if (!isJsonObject(error) || error.code !== -32022 || !isJsonObject(error.data)) return false
  const { supported } = error.data
  return Array.isArray(supported) && supported.includes(modernVersion)
}
