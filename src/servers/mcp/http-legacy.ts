import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { toWebRequest, type NodeIncomingMessageLike } from '@modelcontextprotocol/node'
import {
  isInitializeRequest,
  isJSONRPCRequest,
  specTypeSchemas,
  WebStandardStreamableHTTPServerTransport,
  type InitializeRequest,
  type RequestId,
} from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import type { Claims } from '../../core/call.ts'
import { describeError, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import { sendError } from '../wire/http-body.ts'
import type { RoundCodec } from './ask.ts'
import { clientOf } from './client.ts'
import { fieldsOf, withOwnErrorInBody } from './foreign-error.ts'
import type { HttpSessions } from '../sessions/http-sessions.ts'
import { beginBody, sendInUse, type RequestIds } from './request-ids.ts'
import { createMcpServer } from './server.ts'
import { scrubbed } from '../wire/wire-error.ts'

export interface LegacyHttpOptions {
  readonly sessions: HttpSessions
  readonly rounds: RoundCodec
  /**
   * Checked before the SDK sees a request: with two requests of the same id, it would answer the second with the
   * result of the first.
   */
  readonly requestsOf: (session: string) => RequestIds
  readonly onerror: (error: Error) => void
}

/**
 * Streamable HTTP up to 2025-11-25: a client opens a session with `initialize` and includes its id in later
 * requests.
 */
export function createLegacyHttp(
  runtime: Runtime,
  { sessions, rounds, requestsOf, onerror }: LegacyHttpOptions,
) {
  const open = new Map<string, OpenSession>()
  const scrub = (text: string): string => runtime.scrub(text, 'door')

  const openSession = async (
    { params: { clientInfo } }: InitializeRequest,
    token: NonNullable<Claims['token']>,
  ): Promise<OpenSession> => {
    const id = runtime.sessions.begin(clientOf(clientInfo, 'http'))
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    Object.assign(transport, { onerror, onclose: () => open.delete(id) })
    const server = createMcpServer(runtime, {
      door: 'http',
      era: 'legacy',
      session: () => id,
      current: () => id,
      claims: { token },
      rounds,
      // A cancelled request would keep its stream open as long as the client does, and clients forget to close it.
      onUnanswered(request) {
        if (session.alone.has(request)) transport.closeSSEStream(request)
      },
    })
    const session: OpenSession = { id, transport, alone: new Set() }
    open.set(id, session)
    sessions.open(token.id, id, () => server.close())
    await server.connect(transport)
    return session
  }

  const pass = async (
    { id, transport, alone }: OpenSession,
    request: IncomingMessage,
    response: ServerResponse,
    messages: unknown,
  ): Promise<void> => {
    const { body, refused, end } = beginBody(requestsOf(id), messages)
    const own = isJSONRPCRequest(body) ? body.id : undefined
    if (own !== undefined) alone.add(own)
    try {
      if (body === undefined && refused.length > 0) return sendInUse(response, messages, refused)
      const web = await toWebRequest(request as NodeIncomingMessageLike, body)
      const handled = await transport.handleRequest(web, { parsedBody: body })
      const { status, headers, body: stream } = await withOwnErrorInBody(handled, scrub)
      // Only notifications were left.
      if (stream === null && refused.length > 0) return sendInUse(response, messages, refused)
      response.writeHead(status, Object.fromEntries(headers))
      // The client waits for the headers even if the stream has no data yet.
      response.flushHeaders()
      if (stream === null) return void response.end()
      if (status === 200) for (const answer of refused) response.write(eventOf(answer))
      // Fails if the client disconnects, and then releases the stream.
      await pipeline(Readable.fromWeb(stream), response).catch((error: unknown) => {
        onerror(error instanceof Error ? error : new Error(String(error)))
        cancelUnanswered(transport, body)
      })
    } finally {
      if (own !== undefined) alone.delete(own)
      end()
    }
  }

  return async (
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
    token: NonNullable<Claims['token']>,
  ): Promise<void> => {
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const session = sessions.owns(token.id, id) ? open.get(id) : undefined
      if (session === undefined) return sendError(response, describeError('SESSION_NOT_FOUND'), { body })
      if (request.method === 'DELETE') {
        await sessions.end(id)
        response.writeHead(200).end()
        return
      }
      response.once('close', sessions.hold(id))
      return pass(session, request, response, body)
    }
    if (!isInitializeRequest(body)) return sendError(response, scrubbed(whyNoSession(body), scrub), { body })
    const session = await openSession(body, token)
    await pass(session, request, response, body)
    if (response.statusCode !== 200) await sessions.end(session.id)
  }
}

interface OpenSession {
  readonly id: string
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** Pending requests that were not part of a batch. */
  readonly alone: Set<RequestId>
}

/** In the SDK's format. */
function eventOf(message: JsonObject): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`
}

/**
 * Streams cannot be resumed here, so an answer without its stream is lost: the call is cancelled instead of running
 * on for a client that is gone. Completed calls are not affected.
 */
function cancelUnanswered(transport: WebStandardStreamableHTTPServerTransport, body: unknown): void {
  for (const message of Array.isArray(body) ? body : [body]) {
    if (!isJSONRPCRequest(message)) continue
    const params = { requestId: message.id, reason: 'the client hung up' }
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
}

/** An invalid `initialize` opens no session; any other request needed one. */
function whyNoSession(body: unknown): ErrorObject {
  if (!isJsonObject(body) || body.method !== 'initialize') {
    return describeError('INVALID_REQUEST', { what: 'the Mcp-Session-Id header is missing' })
  }
  const checked = specTypeSchemas.InitializeRequest['~standard'].validate(body)
  return describeError('INVALID_ARGUMENTS', { fields: fieldsOf(checked.issues ?? []) })
}
