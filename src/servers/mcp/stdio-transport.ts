import type { Readable, Writable } from 'node:stream'

import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'

import { describeError, type ErrorObject } from '../../core/errors/errors.ts'
import { withOwnError } from './foreign-error.ts'
import { edge, idAtTheEdges } from '../../platform/message-json.ts'
import { joinWrites } from '../../platform/joined-writes.ts'
import { isBlankLine, splitLines } from '../../platform/line-splitter.ts'
import { errorResponse, readMessage } from '../wire/mcp-message.ts'
import { createRequestIds } from './request-ids.ts'

export interface StdioTransportOptions {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly maxMessageBytes: number
  readonly scrub: (text: string) => string
  /** Sees each message first; true if it handled it. */
  readonly take: (message: JSONRPCMessage) => boolean
  /**
   * The client disconnected. Requests may still be running: the owner of the transport closes it when they are done.
   */
  readonly onEnd: () => void
}

export interface McpStdioTransport extends Transport {
  /** Writes the answer to a request as a complete line. */
  writeAnswer(id: RequestId, line: string): void
  /** The request will not be answered. */
  giveUp(id: RequestId): void
}

/**
 * One JSON message per line. Replaces the SDK's transport, which drops the connection if a message is too long, and
 * does not answer malformed ones.
 */
export function createStdioTransport({
  stdin,
  stdout,
  maxMessageBytes,
  scrub,
  take,
  onEnd,
}: StdioTransportOptions): McpStdioTransport {
  const ids = createRequestIds()
  let open = true
  let drained: Promise<void> | undefined

  const writes = joinWrites((text) => {
    if (stdout.write(text)) return
    // Shared by all writers: a client that does not read may have any number of pending answers.
    drained ??= new Promise((resolve) => {
      // A pipe that breaks in the meantime closes instead of draining.
      const done = (): void => {
        stdout.off('drain', done)
        stdout.off('close', done)
        drained = undefined
        resolve()
      }
      stdout.once('drain', done)
      stdout.once('close', done)
    })
  })

  const write = (text: string): Promise<void> => {
    if (!open) return Promise.reject(new Error('the connection is closed'))
    writes.add(text)
    return drained ?? Promise.resolve()
  }

  const writeLine = (line: string): void => {
    void write(`${line}\n`).catch((cause: Error) => transport.onerror?.(cause))
  }

  const answer = (id: RequestId | null, error: ErrorObject): void =>
    writeLine(JSON.stringify(errorResponse(id, error)))

  const push = splitLines(maxMessageBytes, edge, {
    line(bytes) {
      if (isBlankLine(bytes)) return
      const received = readMessage(bytes)
      if ('error' in received) return answer(received.id, received.error)
      const { message } = received
      const id = 'method' in message && 'id' in message ? message.id : undefined
      const repeated = id === undefined ? undefined : ids.begin(id)
      if (id !== undefined && repeated !== undefined) answer(id, repeated)
      else if (!take(message)) transport.onmessage?.(message)
    },
    tooLong(head, tail) {
      answer(idAtTheEdges(head, tail), describeError('MESSAGE_TOO_LARGE', { limit: maxMessageBytes }))
    },
  })

  const onError = (error: Error): void => {
    transport.onerror?.(error)
    onEnd()
  }

  const transport: McpStdioTransport = {
    writeAnswer(id, line) {
      ids.end(id)
      writeLine(line)
    },
    giveUp: ids.end,
    async start() {
      if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd)
      stdin.on('data', push)
      stdin.once('end', onEnd)
      stdin.once('close', onEnd)
      stdin.on('error', onError)
      // Stays attached after closing: a late error of a dead pipe must not crash the process.
      stdout.on('error', onError)
    },
    send(message: JSONRPCMessage) {
      if (!('method' in message) && message.id !== undefined) ids.end(message.id)
      return write(`${JSON.stringify(withOwnError(message, scrub))}\n`)
    },
    async close() {
      if (!open) return
      writes.flush()
      open = false
      stdin.off('data', push)
      stdin.off('end', onEnd)
      stdin.off('close', onEnd)
      stdin.pause()
      transport.onclose?.()
    },
  }
  return transport
}
