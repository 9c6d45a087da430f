import type { IncomingMessage, ServerResponse } from 'node:http'

import type { RequestId } from '@modelcontextprotocol/server'

import { errorCatalogue, type ErrorObject } from '../core/errors.ts'
import { isJsonObject } from '../core/json.ts'
import { errorResponse } from './mcp-message.ts'

const firstBytes = 16_384

/**
 * The whole body, or undefined where it is longer than `maxBytes`; then the rest is left for Node to throw away. Pieces
 * are copied and let go: a body can come in as many as it has bytes, and each of them weighs hundreds.
 */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  let body: Buffer = Buffer.allocUnsafe(Math.min(firstBytes, maxBytes))
  let length = 0
  return new Promise((resolve, reject) => {
    const settle = (whole: Buffer | undefined): void => {
      request.off('data', take)
      resolve(whole)
    }
    const take = (part: Buffer): void => {
      const end = length + part.length
      if (end > maxBytes) return settle(undefined)
      if (end > body.length) body = grown(body, Math.min(Math.max(end, body.length * 2), maxBytes))
      part.copy(body, length)
      length = end
    }
    request.on('data', take)
    request.once('end', () => settle(body.subarray(0, length)))
    request.once('error', reject)
  })
}

function grown(body: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  body.copy(larger)
  return larger
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** An error before MCP begins: HTTP status and JSON-RPC error say the same. */
export function sendError(
  response: ServerResponse,
  error: ErrorObject,
  { id, body, status }: { id?: RequestId | null; body?: unknown; status?: number } = {},
): void {
  const answered = id ?? idIn(body)
  sendJson(response, status ?? errorCatalogue[error.code].http, errorResponse(answered, error))
}

/** The id of the request in a parsed body. */
export function idIn(body: unknown): RequestId | null {
  return isJsonObject(body) && (typeof body.id === 'string' || typeof body.id === 'number') ? body.id : null
}
