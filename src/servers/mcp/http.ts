import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import {
  toNodeHandler,
  type NodeIncomingMessageLike,
  type NodeMcpRequestHandler,
} from '@modelcontextprotocol/node'
import {
  classifyInboundRequest,
  createMcpHandler,
  type AuthInfo,
  type McpHttpHandler,
} from '@modelcontextprotocol/server'

import type { Runtime } from '../../compose.ts'
import type { Claims } from '../../core/call.ts'
import { CodedError, describeError } from '../../core/errors/errors.ts'
import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import { parseSafely } from '../../platform/message-json.ts'
import { idIn, sendError, sendJson, type ReadBody } from '../wire/http-body.ts'
import { createRoundCodec } from './ask.ts'
import { countCalls, drain } from './drain.ts'
import { withOwnErrorInBody } from './foreign-error.ts'
import { createLegacyHttp } from './http-legacy.ts'
import { createHttpListening } from './http-listening.ts'
import { createHttpSessions } from '../sessions/http-sessions.ts'
import { checkMessage } from '../wire/mcp-message.ts'
import { headerMismatch, mismatchedParamHeader } from './param-headers.ts'
import { beginBody, createRequestIds, sendInUse, type RequestIds } from './request-ids.ts'
import type { McpConnection } from './request.ts'
import { createMcpServer } from './server.ts'
import { isListenRequest, metaOf } from './subscriptions.ts'

export interface McpHttpOptions {
  readonly idleMs: number
  readonly clock: Clock
  readonly graceMs: number
  /** Whether other credentials than a token, such as a certificate, are still valid. */
  readonly isLive: (id: string) => boolean
}

type Token = NonNullable<Claims['token']>

/** MCP over HTTP, for requests that were authenticated with a token. */
export interface McpHttp {
  handle(request: IncomingMessage, response: ServerResponse, token: Token, read: ReadBody): Promise<void>
  sweep(): Promise<void>
  sessions(): number
  close(): Promise<void>
}

/** Maximum sessions per token. Crashed clients leave theirs behind. */
const maxPerToken = 64

/**
 * Both modes of Streamable HTTP at one address: sessions for clients up to 2025-11-25, and self-contained requests
 * from 2026-07-28 on.
 */
export function createMcpHttp(runtime: Runtime, options: McpHttpOptions): McpHttp {
  const { idleMs, clock, graceMs, isLive } = options
  const calls = countCalls((call) => runtime.handle(call))
  const counted: Runtime = { ...runtime, handle: calls.handle }
  const rounds = createRoundCodec(randomBytes(32))
  const onerror = (error: Error): void => runtime.log('debug', 'mcp http', { cause: error.message })
  const scrub = (text: string): string => runtime.scrub(text, 'door')
  const sessions = createHttpSessions({
    clock,
    idleMs,
    maxPerToken,
    busy: calls.running,
    onEnd(id) {
      runtime.sessions.end(id)
      requests.delete(id)
    },
    onFailure: (error) => runtime.log('error', 'a session could not be ended', { cause: String(error) }),
  })
  const responses = createOpenResponses()
  const requests = new Map<string, RequestIds>()
  const requestsOf = (session: string): RequestIds => {
    const known = requests.get(session) ?? createRequestIds()
    requests.set(session, known)
    return known
  }

  const legacy = createLegacyHttp(counted, { sessions, rounds, requestsOf, onerror })
  const namedSession = (token: Token, { 'dev.contextd/session': named }: JsonObject): string | undefined =>
    typeof named === 'string' && sessions.owns(token.id, named) ? named : undefined
  const connectionOf = (token: Token): McpConnection => ({
    door: 'http',
    era: 'modern',
    session: (client, meta) =>
      namedSession(token, meta) ?? sessions.rolling(token.id, () => runtime.sessions.begin(client)),
    claims: { token },
    rounds,
  })
  const newModern = (): McpHttpHandler =>
    createMcpHandler(({ authInfo }) => createMcpServer(counted, connectionOf(tokenIn(authInfo))), {
      legacy: 'reject',
      onerror,
    })
  const toNode = (handler: McpHttpHandler): NodeMcpRequestHandler => {
    const fetch: McpHttpHandler['fetch'] = async (request, extra) =>
      withOwnErrorInBody(await handler.fetch(request, extra), scrub)
    return toNodeHandler({ fetch }, { onerror })
  }
  const modern = newModern()
  const serveModern = toNode(modern)
  const listening = createHttpListening(counted, { newHandler: newModern, sessions })

  return {
    async handle(request, response, token, read) {
      const received = await readRequest(request, response, read)
      if (received === undefined) return
      const { body } = received
      responses.add(token.id, response)
      if (isLegacy(request, body)) return legacy(request, response, body, token)
      const header = mismatchIn(runtime, request, body)
      if (header === undefined) {
        // A client that names no session shares one with all clients of its token, and each chooses its own ids.
        const named = namedSession(token, metaOf(body))
        const begun = named === undefined ? undefined : beginBody(requestsOf(named), body)
        if (begun !== undefined && begun.refused.length > 0) return sendInUse(response, body, begun.refused)
        if (begun !== undefined) response.once('close', begun.end)
        // A client that only listens for changes is still active.
        response.once('close', sessions.holdRolling(token.id))
        const authorised = Object.assign(request as NodeIncomingMessageLike, { auth: authInfoOf(token) })
        if (!isListenRequest(body)) return serveModern(authorised, response, body)
        const stream = await listening.open(response, body, connectionOf(token))
        return stream && toNode(stream.handler)(authorised, response, stream.request)
      }
      const message = `Bad Request: the ${header} header is missing or does not match the body`
      const error = { code: headerMismatch, message, data: { header } }
      sendJson(response, 400, { jsonrpc: '2.0', id: idIn(body), error })
    },
    async sweep() {
      await sessions.sweep()
      const live = runtime.tokens.list().filter(({ revokedAt }) => revokedAt === undefined)
      const good = new Set(live.map(({ id }) => id))
      responses.endUnless((id) => good.has(id) || isLive(id))
    },
    sessions: () => sessions.size(),
    async close() {
      await drain(calls, { ms: graceMs }, async () => {
        await Promise.all([modern.close(), listening.close()])
        await sessions.close()
      })
    },
  }
}

/** Responses in progress, by token. */
interface OpenResponses {
  add(token: string, response: ServerResponse): void
  /** Ends those of invalid tokens: an event stream can be open for days. */
  endUnless(isGood: (token: string) => boolean): void
}

function createOpenResponses(): OpenResponses {
  const tokens = new Map<ServerResponse, string>()
  return {
    add(token, response) {
      tokens.set(response, token)
      response.once('close', () => tokens.delete(response))
    },
    endUnless(isGood) {
      for (const [response, token] of tokens) if (!isGood(token)) response.destroy()
    },
  }
}

/** The parsed body of a POST, nothing for GET and DELETE; undefined if the request was already answered. */
async function readRequest(
  request: IncomingMessage,
  response: ServerResponse,
  read: ReadBody,
): Promise<{ body?: unknown } | undefined> {
  if (request.method === 'GET' || request.method === 'DELETE') return {}
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST, GET, DELETE')
    sendError(response, describeError('INVALID_REQUEST', { what: 'use POST, GET or DELETE' }), {
      status: 405,
    })
    return undefined
  }
  let bytes: Buffer
  try {
    bytes = await read()
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    sendError(response, error.toObject())
    return undefined
  }
  const parsed = parseSafely(bytes)
  // A batch, as in 2025-03-26, is checked message by message in the SDK.
  const checked = 'error' in parsed || Array.isArray(parsed.value) ? parsed : checkMessage(parsed.value)
  if ('error' in checked) {
    sendError(response, checked.error, checked)
    return undefined
  }
  return { body: 'message' in checked ? checked.message : checked.value }
}

/** By the SDK's rules; it also answers invalid requests. */
function isLegacy({ method = '', headers }: IncomingMessage, body: unknown): boolean {
  const text = (name: string): string | undefined => {
    const value = headers[name]
    return typeof value === 'string' ? value : undefined
  }
  const version = text('mcp-protocol-version')
  const named = text('mcp-method')
  const { kind } = classifyInboundRequest({
    httpMethod: method,
    body,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(named !== undefined && { mcpMethodHeader: named }),
  })
  return kind === 'legacy'
}

/** Passed through the SDK to the request handler. The secret itself is not passed on. */
function authInfoOf({ id, agent }: Token): AuthInfo {
  return { token: '', clientId: id, scopes: [], extra: { agent } }
}

function tokenIn(authInfo: AuthInfo | undefined): Token {
  if (authInfo === undefined) throw new Error('a request passed the guard without a token')
  return { id: authInfo.clientId, agent: String(authInfo.extra?.agent) }
}

function mismatchIn({ catalogue }: Runtime, { headers }: IncomingMessage, body: unknown): string | undefined {
  if (!isJsonObject(body) || body.method !== 'tools/call' || !isJsonObject(body.params)) return undefined
  const { name, arguments: args } = body.params
  const tool = typeof name === 'string' ? catalogue.find(name) : undefined
  if (tool === undefined || !isJsonObject(args)) return undefined
  return mismatchedParamHeader(tool.definition.inputSchema, args, headers)
}
