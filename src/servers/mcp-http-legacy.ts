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
} from '@modelcontextprotocol/server'

import type { Runtime } from '../compose.ts'
import type { Claims } from '../core/call.ts'
import { describeError, type ErrorObject } from '../core/errors.ts'
import { isJsonObject } from '../core/json.ts'
import { sendError } from './http-body.ts'
import type { RoundCodec } from './mcp-ask.ts'
import { clientOf } from './mcp-client.ts'
import { fieldsOf, withOwnErrorInside } from './mcp-foreign-error.ts'
import type { HttpSessions } from './mcp-http-sessions.ts'
import { scrubbed } from './wire-error.ts'
import { createMcpServer } from './mcp-server.ts'

export interface LegacyHttpOptions {
  readonly sessions: HttpSessions
  readonly rounds: RoundCodec
  readonly onerror: (error: Error) => void
}

/** Streamable HTTP up to 2025-11-25: a client opens a session with `initialize` and names it from then on. */
export function createLegacyHttp(runtime: Runtime, { sessions, rounds, onerror }: LegacyHttpOptions) {
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>()
  const scrub = (text: string): string => runtime.scrub(text, 'door')

  const open = async (
    { params: { clientInfo } }: InitializeRequest,
    token: NonNullable<Claims['token']>,
  ): Promise<{ id: string; transport: WebStandardStreamableHTTPServerTransport }> => {
    const id = runtime.sessions.begin(clientOf(clientInfo, 'http'))
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    Object.assign(transport, { onerror, onclose: () => transports.delete(id) })
    const claims = { token }
    const server = createMcpServer(runtime, {
      door: 'http',
      era: 'legacy',
      session: () => id,
      current: () => id,
      claims,
      rounds,
    })
    transports.set(id, transport)
    sessions.open(token.id, id, () => server.close())
    await server.connect(transport)
    return { id, transport }
  }

  const pass = async (
    transport: WebStandardStreamableHTTPServerTransport,
    request: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> => {
    const web = await toWebRequest(request as NodeIncomingMessageLike, body)
    const handled = await transport.handleRequest(web, { parsedBody: body })
    const { status, headers, body: stream } = await withOwnErrorInside(handled, scrub)
    response.writeHead(status, Object.fromEntries(headers))
    // A stream that has nothing to say yet is open all the same, and the client waits to hear so.
    response.flushHeaders()
    if (stream === null) response.end()
    // Fails where the client hangs up, and lets go of the stream then.
    else {
      await pipeline(Readable.fromWeb(stream), response).catch((error: unknown) => {
        onerror(error instanceof Error ? error : new Error(String(error)))
        cancelUnanswered(transport, body)
      })
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
      const transport = sessions.owns(token.id, id) ? transports.get(id) : undefined
      if (transport === undefined) return sendError(response, describeError('SESSION_NOT_FOUND'), { body })
      if (request.method === 'DELETE') {
        await sessions.end(id)
        response.writeHead(200).end()
        return
      }
      response.once('close', sessions.hold(id))
      return pass(transport, request, response, body)
    }
    if (!isInitializeRequest(body)) return sendError(response, scrubbed(whyNoSession(body), scrub), { body })
    const opened = await open(body, token)
    await pass(opened.transport, request, response, body)
    if (response.statusCode !== 200) await sessions.end(opened.id)
  }
}

/**
 * Streams cannot be resumed here, so an answer whose stream is gone reaches nobody: what would make it ends, instead of
 * running on for a client that was killed. Calls that are over are not touched by a cancellation.
 */
function cancelUnanswered(transport: WebStandardStreamableHTTPServerTransport, body: unknown): void {
  for (const message of Array.isArray(body) ? body : [body]) {
    if (!isJSONRPCRequest(message)) continue
    const params = { requestId: message.id, reason: 'the client hung up' }
    transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params })
  }
}

/** An `initialize` that does not fit its schema opens no session; any other request needed one. */
function whyNoSession(body: unknown): ErrorObject {
  if (!isJsonObject(body) || body.method !== 'initialize') {
    return describeError('INVALID_REQUEST', { what: 'the Mcp-Session-Id header is missing' })
  }
  const checked = specTypeSchemas.InitializeRequest['~standard'].validate(body)
  return describeError('INVALID_ARGUMENTS', { fields: fieldsOf(checked.issues ?? []) })
}
