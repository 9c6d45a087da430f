import type { IncomingMessage, ServerResponse } from 'node:http'

import type { RequestId } from '@modelcontextprotocol/server'

import { ContextdError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import type { DoorLimits } from '../limits/door-limits.ts'
import { errorResponse } from './mcp-message.ts'

const firstBytes = 16_384

export interface BodyLimits extends Pick<DoorLimits, 'bodyMs' | 'bodyIdleMs'> {
  readonly maxBytes: number
  /** Called with the size of each chunk; an exception from it ends reading. */
  readonly keep: (bytes: number) => void
}

/** Reads the body of one request, within its limits. */
export type ReadBody = () => Promise<Buffer>

/**
 * Reads the complete body. Throws MESSAGE_TOO_LARGE if it is too long, leaving the rest for Node to discard, and
 * REQUEST_INCOMPLETE if it does not arrive. Chunks are copied and released: a body may arrive byte by byte, and each
 * chunk object takes hundreds of bytes.
 */
export async function readRequestBody(
  request: IncomingMessage,
  { maxBytes, bodyMs, bodyIdleMs, keep }: BodyLimits,
): Promise<Buffer> {
  const tooLarge = (): ContextdError => new ContextdError('MESSAGE_TOO_LARGE', { limit: maxBytes })
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
  let body: Buffer = Buffer.allocUnsafe(Math.min(firstBytes, maxBytes))
  let length = 0
  let stop = (): void => {}
  const complete = new Promise<Buffer>((resolve, reject) => {
    const late = (limit_ms: number): NodeJS.Timeout =>
      setTimeout(() => reject(new ContextdError('REQUEST_INCOMPLETE', { limit_ms })), limit_ms)
    const timers = [late(bodyMs), late(bodyIdleMs)] as const
    const take = (part: Buffer): void => {
      timers[1].refresh()
      const end = length + part.length
      if (end > maxBytes) return reject(tooLarge())
      try {
        keep(part.length)
      } catch (error) {
        return reject(error)
      }
      if (end > body.length) body = grown(body, Math.min(Math.max(end, body.length * 2), maxBytes))
      part.copy(body, length)
      length = end
    }
    stop = () => {
      timers.forEach(clearTimeout)
      request.off('data', take)
    }
    request.on('data', take)
    request.once('end', () => resolve(body.subarray(0, length)))
    request.once('error', reject)
  })
  return complete.finally(stop)
}

function grown(body: Buffer, size: number): Buffer {
  const larger = Buffer.allocUnsafe(size)
  body.copy(larger)
  return larger
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  // The rest of such a request is not read.
  if (status === errorCatalogue.REQUEST_INCOMPLETE.http) response.setHeader('connection', 'close')
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** An error before MCP starts, as both HTTP status and JSON-RPC error. */
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
