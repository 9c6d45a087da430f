import type { Readable, Writable } from 'node:stream'

import type { JSONRPCMessage, RequestId, Transport } from '@modelcontextprotocol/server'

import { describeError, type ErrorObject } from '../core/errors.ts'
import { withOwnError } from './mcp-foreign-error.ts'
import { edge, idAtTheEdges } from './mcp-json.ts'
import { splitLines } from './mcp-line-splitter.ts'
import { errorResponse, readMessage } from './mcp-message.ts'

export interface StdioTransportOptions {
  readonly stdin: Readable
  readonly stdout: Writable
  readonly maxMessageBytes: number
  readonly scrub: (text: string) => string
  /** The client hung up. Requests may still be running: whoever owns the transport closes it when they are done. */
  readonly onEnd: () => void
}

/**
 * One JSON message a line. Stands in for the SDK's transport, which gives up the connection over a message that is too
 * long and does not answer one that is malformed.
 */
export function createStdioTransport({
  stdin,
  stdout,
  maxMessageBytes,
  scrub,
  onEnd,
}: StdioTransportOptions): Transport {
  let open = true
  let drained: Promise<void> | undefined

  const write = (text: string): Promise<void> => {
    if (!open) return Promise.reject(new Error('the connection is closed'))
    if (stdout.write(text)) return Promise.resolve()
    // One wait for all: a client that does not read can have any number of answers due.
    return (drained ??= new Promise((resolve) => {
      // A pipe that breaks while we wait closes instead of draining.
      const done = (): void => {
        stdout.off('drain', done)
        stdout.off('close', done)
        drained = undefined
        resolve()
      }
      stdout.once('drain', done)
      stdout.once('close', done)
    }))
  }

  const answer = (id: RequestId | null, error: ErrorObject): void => {
    void write(`${JSON.stringify(errorResponse(id, error))}\n`).catch((cause: Error) =>
      transport.onerror?.(cause),
    )
  }

  const push = splitLines(maxMessageBytes, edge, {
    line(bytes) {
      if (isBlank(bytes)) return
      const received = readMessage(bytes)
      if ('message' in received) transport.onmessage?.(received.message)
      else answer(received.id, received.error)
    },
    tooLong(head, tail) {
      answer(idAtTheEdges(head, tail), describeError('MESSAGE_TOO_LARGE', { limit: maxMessageBytes }))
    },
  })

  const onError = (error: Error): void => {
    transport.onerror?.(error)
    onEnd()
  }

  const transport: Transport = {
    async start() {
      if (stdin.readableEnded || stdin.destroyed) setImmediate(onEnd)
      stdin.on('data', push)
      stdin.once('end', onEnd)
      stdin.once('close', onEnd)
      stdin.on('error', onError)
      // Stays attached after closing: a late failure of a dead pipe must not bring the process down.
      stdout.on('error', onError)
    },
    send: (message: JSONRPCMessage) => write(`${JSON.stringify(withOwnError(message, scrub))}\n`),
    async close() {
      if (!open) return
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

function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
}
