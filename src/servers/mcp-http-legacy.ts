import type { IncomingMessage, ServerResponse } from 'node:http'

import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { isInitializeRequest, type InitializeRequest } from '@modelcontextprotocol/server'

import type { Runtime } from '../compose.ts'
import type { Claims } from '../core/call.ts'
import { describeError } from '../core/errors.ts'
import { sendError } from './http-body.ts'
import type { RoundCodec } from './mcp-ask.ts'
import type { HttpSessions } from './mcp-http-sessions.ts'
import { createMcpServer } from './mcp-server.ts'

export interface LegacyHttpOptions {
  readonly sessions: HttpSessions
  readonly rounds: RoundCodec
  readonly onerror: (error: Error) => void
}

/** Streamable HTTP up to 2025-11-25: a client opens a session with `initialize` and names it from then on. */
export function createLegacyHttp(runtime: Runtime, { sessions, rounds, onerror }: LegacyHttpOptions) {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>()

  const open = async (
    { params: { clientInfo } }: InitializeRequest,
    token: NonNullable<Claims['token']>,
  ): Promise<NodeStreamableHTTPServerTransport> => {
    const { name, version } = clientInfo
    const id = runtime.sessions.begin({
      name: name.slice(0, 100),
      version: version.slice(0, 100),
      door: 'http',
    })
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    const onclose = (): void => {
      transports.delete(id)
      sessions.drop(id)
    }
    Object.assign(transport, { onerror, onclose })
    const claims = { token }
    const server = createMcpServer(runtime, {
      door: 'http',
      era: 'legacy',
      session: () => id,
      claims,
      rounds,
    })
    transports.set(id, transport)
    sessions.open(token.id, id, () => server.close())
    await server.connect(transport)
    return transport
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
      response.once('close', sessions.hold(id))
      return transport.handleRequest(request, response, body)
    }
    if (!isInitializeRequest(body)) {
      const what = 'the Mcp-Session-Id header is missing'
      return sendError(response, describeError('INVALID_REQUEST', { what }), { body })
    }
    const transport = await open(body, token)
    await transport.handleRequest(request, response, body)
    if (response.statusCode !== 200) await transport.close()
  }
}
