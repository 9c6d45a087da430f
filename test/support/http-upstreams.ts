import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

import {
  NodeStreamableHTTPServerTransport,
  toNodeHandler,
  type NodeIncomingMessageLike,
} from '@modelcontextprotocol/node'
import { createMcpHandler, type Server } from '@modelcontextprotocol/server'

import type { JsonObject } from '@contextd/shared/json/value'
import { textOf, type WebServers } from './web-servers.ts'

/** One protocol message that a hand-written server received. */
export interface Received {
  readonly message: JsonObject
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Responds to it in a separate response. */
  reply(result: JsonObject): void
  refuse(error: JsonObject, status?: number): void
  /** Starts an event stream; returns how to send an event. */
  stream(): (event: JsonObject | string) => void
}

/** A hand-written server, so that a test can send anything. Returns its address. */
export async function serveByHand(web: WebServers, take: (received: Received) => unknown): Promise<string> {
  const port = await web.serve(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end()
    const message = JSON.parse(await textOf(request)) as JsonObject
    const envelope = { jsonrpc: '2.0', id: message.id ?? null }
    const json = (status: number, body: JsonObject): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    return take({
      message,
      request,
      response,
      reply: (result) => json(200, { ...envelope, result }),
      refuse: (error, status = 200) => json(status, { ...envelope, error }),
      stream() {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        return (event) =>
          void response.write(typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)
      },
    })
  })
  return `http://127.0.0.1:${port}/mcp`
}

/** The description of a server from 2026-07-28 on. */
export const discovered: JsonObject = {
  resultType: 'complete',
  supportedVersions: ['2026-07-28'],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: 'private',
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'by-hand', version: '1' } },
}

/** The description of a server up to 2025-11-25. */
export const initialized: JsonObject = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {}, logging: {} },
  serverInfo: { name: 'by-hand', version: '1' },
}

/** Fields that no schema contains, in every place. */
export const strange: JsonObject = {
  content: [
    { type: 'hologram', beam: [1, 2] },
    { type: 'resource_link', uri: 'file:///x', name: 'x', extra: true },
  ],
  structuredContent: [1, { deep: null }],
  isError: false,
  annotations: { made: 'up' },
  _meta: { 'com.example/x': { y: 1 }, progressToken: 9 },
  unknown: { kept: true },
}

/** The SDK's server from 2026-07-28 on. */
export async function serveModern(
  web: WebServers,
  newServer: () => Server,
  legacy: 'reject' | 'stateless' = 'reject',
): Promise<string> {
  const handler = createMcpHandler(newServer, { legacy })
  const handle = toNodeHandler(handler)
  const port = await web.serve((request, response) => handle(request as NodeIncomingMessageLike, response))
  return `http://127.0.0.1:${port}/mcp`
}

export interface SessionServer {
  readonly url: string
  readonly open: ReadonlyMap<string, Server>
  /** Sessions that the client ended. */
  readonly ended: readonly string[]
  /** Forgets open sessions, as after a restart. */
  forget(): void
}

/** The SDK's server up to 2025-11-25, with sessions. */
export async function serveSessions(web: WebServers, newServer: () => Server): Promise<SessionServer> {
  const transports = new Map<string, NodeStreamableHTTPServerTransport>()
  const open = new Map<string, Server>()
  const ended: string[] = []
  const begin = async (): Promise<NodeStreamableHTTPServerTransport> => {
    const server = newServer()
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        transports.set(id, transport)
        open.set(id, server)
      },
    })
    await server.connect(transport)
    return transport
  }
  const port = await web.serve(async (request, response) => {
    const id = request.headers['mcp-session-id'] as string | undefined
    const transport = id === undefined ? await begin() : transports.get(id)
    if (transport === undefined) return response.writeHead(404).end()
    if (request.method === 'DELETE') ended.push(id!)
    return transport.handleRequest(request, response)
  })
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    open,
    ended,
    forget() {
      transports.clear()
      open.clear()
    },
  }
}

/** The older HTTP transport, hand-written: one stream for all responses, and an address for requests. */
export async function serveOldStyle(
  web: WebServers,
  answer: (message: JsonObject, send: (message: JsonObject) => void) => void,
): Promise<{ url: string; hangUp(): void; streams: () => number }> {
  const streams = new Set<ServerResponse>()
  const port = await web.serve(async (request, response) => {
    if (request.method === 'GET' && request.url === '/sse') {
      streams.add(response)
      response.once('close', () => streams.delete(response))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      return response.write('event: endpoint\ndata: /messages\n\n')
    }
    if (request.method !== 'POST' || request.url !== '/messages') return response.writeHead(405).end()
    const message = JSON.parse(await textOf(request)) as JsonObject
    response.writeHead(202).end()
    return answer(message, (reply) => {
      for (const stream of streams) stream.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`)
    })
  })
  return {
    url: `http://127.0.0.1:${port}/sse`,
    hangUp() {
      for (const stream of streams) stream.destroy()
    },
    streams: () => streams.size,
  }
}
