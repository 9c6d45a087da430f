import type { IncomingMessage, ServerResponse } from 'node:http'

import type { RequestId } from '@modelcontextprotocol/server'

import { errorCatalogue, type ErrorObject } from '../core/errors.ts'
import { isJsonObject } from '../core/json.ts'
import { errorResponse } from './mcp-message.ts'

/** The whole body, or undefined where it is longer than `maxBytes`; then the rest is left for Node to throw away. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined
  const parts: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    const settle = (body: Buffer | undefined): void => {
      request.off('data', take)
      resolve(body)
    }
    const take = (part: Buffer): void => {
      length += part.length
      if (length > maxBytes) settle(undefined)
      else parts.push(part)
    }
    request.on('data', take)
    request.once('end', () => settle(Buffer.concat(parts)))
    request.once('error', reject)
  })
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
