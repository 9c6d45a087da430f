/**
 * Connects node:http2 to connect. connect-node uses Node's compatibility layer and creates an error for every call
 * that ended successfully; a small call would spend more time there than in our pipeline.
 */

import { once } from 'node:events'
import {
  constants,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'

import { Code, ConnectError, type ContextValues } from '@connectrpc/connect'
import type { UniversalHandler, UniversalServerResponse } from '@connectrpc/connect/protocol'

import { withoutEndlessTimeout } from './grpc-requests.ts'

export interface IncomingCall {
  readonly stream: ServerHttp2Stream
  readonly headers: IncomingHttpHeaders
  /** What remains to be read of the stream. */
  readonly body: AsyncIterable<Uint8Array>
  readonly values: ContextValues
}

/** Runs one call from its first byte to its trailers. Throws if the answer could not be sent. */
export async function serveStream(
  handler: UniversalHandler,
  { stream, headers, body, values: contextValues }: IncomingCall,
): Promise<void> {
  const gone = new AbortController()
  let isSent = false
  stream.once('close', () => {
    if (!isSent) gone.abort(new ConnectError('the client disconnected', Code.Canceled))
  })
  const answer = await handler({
    httpVersion: '2.0',
    method: headers[':method'] ?? '',
    url: `http://localhost${headers[':path'] ?? ''}`,
    header: withoutEndlessTimeout(toWebHeaders(headers)),
    body,
    signal: gone.signal,
    contextValues,
  })
  await send(stream, answer)
  isSent = true
}

async function send(
  stream: ServerHttp2Stream,
  { status, header, body, trailer }: UniversalServerResponse,
): Promise<void> {
  const chunks = body?.[Symbol.asyncIterator]()
  let isComplete = false
  try {
    // Headers are final when there is something to send after them.
    let chunk = await chunks?.next()
    if (stream.destroyed) return
    const waitForTrailers = trailer !== undefined
    stream.respond({ ...toNodeHeaders(header), ':status': status }, { waitForTrailers })
    if (waitForTrailers) stream.once('wantTrailers', () => stream.sendTrailers(toNodeHeaders(trailer)))
    for (; chunk !== undefined && chunk.done !== true; chunk = await chunks?.next()) {
      if (!stream.write(chunk.value)) await writable(stream)
      if (stream.destroyed) return
    }
    isComplete = true
    stream.end()
    if (!stream.readableEnded) dropRest(stream)
  } finally {
    // Tells the producer that its answer is no longer read.
    if (!isComplete) await chunks?.return?.()
  }
}

const restMs = 5000

/**
 * The remainder of a request that was answered early. If the stream were closed immediately, some clients would see
 * that instead of the answer, so incoming data is discarded for a while.
 */
function dropRest(stream: ServerHttp2Stream): void {
  stream.resume()
  const late = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), restMs)
  stream.once('close', () => clearTimeout(late))
}

/** Resolves when there is room, or when the stream is closed. */
async function writable(stream: ServerHttp2Stream): Promise<void> {
  const over = new AbortController()
  try {
    await Promise.race([
      once(stream, 'drain', { signal: over.signal }),
      once(stream, 'close', { signal: over.signal }),
    ])
  } finally {
    over.abort()
  }
}

function toWebHeaders(headers: IncomingHttpHeaders): Headers {
  const found = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith(':') || value === undefined) continue
    for (const one of Array.isArray(value) ? value : [value]) found.append(name, one)
  }
  return found
}

function toNodeHeaders(headers: Headers | undefined): OutgoingHttpHeaders {
  const found: OutgoingHttpHeaders = {}
  headers?.forEach((value, name) => {
    found[name] = value
  })
  return found
}

/** A bare status for a request that is not a call. */
export function sendStatus(stream: ServerHttp2Stream, status: number): void {
  stream.respond({ ':status': status }, { endStream: true })
  // Incoming data is not read.
  stream.close(constants.NGHTTP2_NO_ERROR)
}
