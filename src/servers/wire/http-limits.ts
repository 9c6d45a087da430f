/** Keeps clients that are slow, silent or too many from holding the HTTP listener. */

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import { watchConnections, type DoorConnections } from '../limits/door-connections.ts'
import type { DoorLimits, OnLimitHit } from '../limits/door-limits.ts'
import { errorResponse } from './mcp-message.ts'

/** How often Node looks for requests that are late. */
const lookEveryMs = 5000

/** For `createServer`. Bodies that are read have tighter limits of their own; Node ends the rest. */
export function httpServerOptions({ headersMs, bodyMs }: DoorLimits): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: headersMs + bodyMs,
    connectionsCheckingInterval: Math.min(lookEveryMs, headersMs),
  }
}

export function limitHttp(server: Server, limits: DoorLimits, onLimitHit: OnLimitHit): DoorConnections {
  /** Answers that are not written to the end yet. */
  const due = new WeakMap<Socket, Set<ServerResponse>>()
  const isDue = (socket: Socket): boolean => (due.get(socket)?.size ?? 0) > 0
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = due.get(socket) ?? new Set()
    due.set(socket, responses.add(response))
    // Everything that has a part in a stream listens for its end.
    response.setMaxListeners(20)
    response.once('close', () => responses.delete(response))
  })
  server.setTimeout(limits.unreadMs, (socket) => {
    // A stream may have nothing to say for days. One that has and is not read costs memory.
    if (isDue(socket) && socket.writableLength === 0) return
    if (isDue(socket)) onLimitHit('unread')
    socket.destroy()
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') onLimitHit(isDue(socket) ? 'body' : 'headers')
    // Behind the head of an answer another one would be taken for a part of it.
    const isAnswering = [...(due.get(socket) ?? [])].some(({ headersSent }) => headersSent)
    if (!socket.writable || isAnswering) return void socket.destroy()
    socket.end(answerTo(error, limits), () => socket.destroy())
  })
  return watchConnections(server, limits, onLimitHit)
}

function answerTo({ code }: NodeJS.ErrnoException, { headersMs }: DoorLimits): string {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return rawAnswer(describeError('REQUEST_INCOMPLETE', { limit_ms: headersMs }))
  }
  const isLong = code === 'HPE_HEADER_OVERFLOW'
  const what = isLong ? 'its headers are too long' : 'it is not HTTP/1.1 as this server reads it'
  return rawAnswer(describeError('INVALID_REQUEST', { what }), isLong ? 431 : undefined)
}

/** An answer where Node has made no response. */
function rawAnswer(error: ErrorObject, status: number = errorCatalogue[error.code].http): string {
  const body = JSON.stringify(errorResponse(null, error))
  const head = [
    `HTTP/1.1 ${status} ${error.code}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}
