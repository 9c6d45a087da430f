/**
 * Descriptor 3 of a running tool: JSON-RPC 2.0, one message per line. The tool is not trusted to read responses, to
 * stop sending requests, or to ever end a line.
 */

import type { Duplex } from 'node:stream'

import { CodedError } from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'

export type HostMethod = (params: JsonObject) => Json | Promise<Json>
export type HostMethods = ReadonlyMap<string, HostMethod>

const maxLineLength = 1_048_576
/** Requests without a response, and responses not yet read. */
const maxInFlight = 64
/** Total bytes from the tool. */
const maxBytes = 67_108_864

const newline = 0x0a

/** Serves requests until the tool ends. `onFault` is called with the reason if the channel is closed early. */
export function serveHostChannel(
  channel: Duplex,
  methods: HostMethods,
  onFault: (why: string) => void,
): void {
  const waiting: Buffer[] = []
  let parts: Buffer[] = []
  let partBytes = 0
  let received = 0
  let inFlight = 0
  let isScheduled = false

  const fault = (why: string): void => {
    if (channel.destroyed) return
    waiting.length = 0
    channel.destroy()
    onFault(why)
  }

  const settle = (): void => {
    inFlight -= 1
    schedule()
  }

  const reply = (message: JsonObject): void => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message })
    const line = text.length <= maxLineLength ? text : JSON.stringify(errorReply(message.id ?? null, tooLong))
    // In flight until the tool has read the response.
    if (channel.writable) channel.write(`${line}\n`, settle)
    else settle()
  }

  const handle = async (line: Buffer): Promise<void> => {
    const request = readRequest(line)
    if ('error' in request) return reply(request)
    const { id, method, params } = request
    const outcome = await run(methods.get(method), params)
    // A notification gets no response.
    if (id === undefined) settle()
    else reply({ id, ...outcome })
  }

  // One message per event loop turn: a tool must not block the server.
  const next = (): void => {
    isScheduled = false
    const line = channel.destroyed ? undefined : waiting.shift()
    if (line !== undefined) {
      inFlight += 1
      void handle(line)
    }
    schedule()
  }

  const schedule = (): void => {
    if (inFlight >= maxInFlight || isScheduled) return
    if (waiting.length > 0) {
      isScheduled = true
      setImmediate(next)
    } else if (channel.isPaused()) channel.resume()
  }

  channel.on('error', () => {})
  channel.on('data', (chunk: Buffer) => {
    received += chunk.length
    if (received > maxBytes) return fault(`sent more than ${maxBytes} bytes`)
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      parts.push(chunk.subarray(start, end))
      waiting.push(Buffer.concat(parts))
      parts = []
      partBytes = 0
      start = end + 1
    }
    partBytes += chunk.length - start
    if (partBytes > maxLineLength) return fault(`sent a line longer than ${maxLineLength} bytes`)
    if (start < chunk.length) parts.push(chunk.subarray(start))
    if (waiting.length > 0) channel.pause()
    schedule()
  })
}

interface Request {
  readonly id?: Json
  readonly method: string
  readonly params: JsonObject
}

type ErrorReply = JsonObject & { error: JsonObject }

const tooLong = { code: -32603, message: `The answer is longer than ${maxLineLength} bytes` }

function errorReply(id: Json, error: { code: number; message: string }): ErrorReply {
  return { id, error }
}

function readRequest(line: Buffer): Request | ErrorReply {
  let message: unknown
  try {
    message = JSON.parse(line.toString())
  } catch {
    return errorReply(null, { code: -32700, message: 'This line is not valid JSON' })
  }
  const { id, method, params = {} } = isJsonObject(message) ? message : {}
  if (typeof method !== 'string' || !isJsonObject(params) || (id !== undefined && !isId(id))) {
    const error = {
      code: -32600,
      message: 'Expected {"jsonrpc": "2.0", "id": …, "method": "…", "params": {…}}',
    }
    return errorReply(isId(id) ? id : null, error)
  }
  return { ...(id !== undefined && { id }), method, params }
}

function isId(id: Json | undefined): id is string | number {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= 100)
}

async function run(
  method: HostMethod | undefined,
  params: JsonObject,
): Promise<{ result: Json } | { error: JsonObject }> {
  if (method === undefined) return { error: { code: -32601, message: 'Unknown method' } }
  try {
    return { result: await method(params) }
  } catch (error) {
    if (!(error instanceof CodedError)) return { error: { code: -32603, message: 'contextd failed' } }
    const { code, message, hint = '', fields } = error.toObject()
    const data = { code, hint, ...(fields !== undefined && { fields }) }
    return { error: { code: error.entry.jsonrpc, message, data } }
  }
}
