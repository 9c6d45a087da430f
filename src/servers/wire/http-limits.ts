/** Keeps slow, idle or too many clients from blocking the HTTP listener. */

import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

import { describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import { watchConnections, type DoorConnections } from '../limits/door-connections.ts'
import type { DoorLimits, OnLimitHit } from '../limits/door-limits.ts'
import { errorResponse } from './mcp-message.ts'

/** How often Node checks for late requests. */
const lookEveryMs = 5000

/** For `createServer`. Bodies that are read have stricter limits; Node enforces these for the rest. */
export function httpServerOptions({ headersMs, bodyMs }: DoorLimits): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: headersMs + bodyMs,
    connectionsCheckingInterval: Math.min(lookEveryMs, headersMs),
  }
}

export function limitHttp(server: Server, limits: DoorLimits, onLimitHit: OnLimitHit): DoorConnections {
  /** Answers that are not completely written yet. */
  const pendingAnswers = new WeakMap<Socket, Set<ServerResponse>>()
  const isPending = (socket: Socket): boolean => (pendingAnswers.get(socket)?.size ?? 0) > 0
  server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
    const responses = pendingAnswers.get(socket) ?? new Set()
    pendingAnswers.set(socket, responses.add(response))
    // Each part of a stream listens for its end.
    response.setMaxListeners(20)
    response.once('close', () => responses.delete(response))
  })
  server.setTimeout(limits.unreadMs, (socket) => {
    // An idle stream may have no data for days. One that is not read uses memory.
    if (isPending(socket) && socket.writableLength === 0) return
    if (isPending(socket)) onLimitHit('unread')
    socket.destroy()
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') onLimitHit(isPending(socket) ? 'body' : 'headers')
    // After response headers, a second response would become part of the first one's body.
    const isAnswering = [...(pendingAnswers.get(socket) ?? [])].some(({ headersSent }) => headersSent)
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
  const what = isLong ? 'its headers are too long' : 'it is not HTTP/1.1 that this server accepts'
  return rawAnswer(describeError('INVALID_REQUEST', { what }), isLong ? 431 : undefined)
}

/** An error response for a socket for which Node has created no response object. */
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
