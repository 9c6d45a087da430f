/**
 * One JSON object per line on a Unix socket, for hooks and fast commands: `{"method":"status"}` is answered with
 * `{"result":…}` or `{"error":…}`; some methods send lines `{"event":…}` first. Only this user can connect, because
 * the folder is private.
 */

import { lstatSync, statSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'

import {
  CodedError,
  ContextdError,
  describeError,
  errorCatalogue,
  type ErrorCode,
} from '../../core/errors/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import { listenOnSocket } from '../limits/listen.ts'

export type SocketHandler = (request: JsonObject, line: SocketLine) => Promise<Json> | Json

/** The connection to the caller. */
export interface SocketLine {
  /** Aborted when the client closes its end. */
  readonly signal: AbortSignal
  /** Length of the request in characters. */
  readonly length: number
  /** Sends an event before the answer. */
  send(event: JsonObject): void
}

/** Longer requests are invalid. A hook may send a tool's entire output. */
export const maxLine = 32 << 20
/** A reader with more than this much unread data is disconnected. */
const maxWaiting = 64 << 20

export interface HookSocket {
  /** Also closes open connections, which cancels their requests. */
  close(): void
}

export async function serveHookSocket(
  path: string,
  handlers: Record<string, SocketHandler>,
): Promise<HookSocket> {
  const open = new Map<Socket, AbortController>()
  const server = createServer((socket) => {
    const gone = new AbortController()
    open.set(socket, gone)
    const write = writerOf(socket)
    const line = { signal: gone.signal, send: (event: JsonObject) => write({ event }) }
    let pending = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      open.delete(socket)
      gone.abort()
    })
    socket.on('data', (chunk: string) => {
      if (pending.length + chunk.length > maxLine) return socket.destroy()
      // Only new data is searched: a long line arrives in thousands of chunks.
      const [first = '', ...others] = chunk.split('\n')
      const lines = [pending + first, ...others]
      pending = lines.pop() ?? ''
      for (const one of lines) void answerLine(one, handlers, line).then(write)
    })
  })
  await listenOnSocket(server, path)
  return {
    close() {
      server.close()
      for (const [socket, gone] of open) {
        gone.abort()
        // Flushes the answer without waiting for the peer to disconnect.
        socket.unref().destroySoon()
      }
    },
  }
}

function writerOf(socket: Socket): (line: JsonObject) => void {
  return (line) => {
    if (!socket.writable) return
    socket.write(`${JSON.stringify(line)}\n`)
    // A single answer may be large, but an unread stream must not be buffered forever.
    if (socket.writableLength > maxWaiting && 'event' in line) socket.destroy()
  }
}

async function answerLine(
  text: string,
  handlers: Record<string, SocketHandler>,
  line: Omit<SocketLine, 'length'>,
): Promise<JsonObject> {
  try {
    const request = parsed(text)
    const method = isJsonObject(request) && typeof request.method === 'string' ? request.method : ''
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (!isJsonObject(request) || handler === undefined) {
      return {
        error: { ...describeError('INVALID_REQUEST', { what: 'expected {"method": …}' }) } as JsonObject,
      }
    }
    return { result: await handler(request, { ...line, length: text.length }) }
  } catch (error) {
    const known = error instanceof CodedError ? error.toObject() : describeError('INTERNAL')
    return { error: { ...known } as JsonObject }
  }
}

/** Undefined for invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A daemon may be blocked this long by its disk on a busy machine; a missing daemon is noticed immediately. */
const defaultTimeoutMs = 15_000

/** Asks a running daemon. Throws DAEMON_NOT_RUNNING if there is no answer. */
export async function askDaemon(
  path: string,
  request: JsonObject,
  timeoutMs: number = defaultTimeoutMs,
): Promise<Json> {
  const late = new AbortController()
  // A peer that only keeps sending data is not a daemon that answers.
  const timer = setTimeout(() => late.abort(), timeoutMs)
  try {
    return await converse(path, request, { signal: late.signal })
  } catch (error) {
    throw error instanceof NoAnswer ? new ContextdError('DAEMON_NOT_RUNNING', {}, { cause: error }) : error
  } finally {
    clearTimeout(timer)
  }
}

/** Nothing is listening, or it disconnected before answering. */
export class NoAnswer extends Error {
  /** Whether the request was received. */
  readonly wasAsked: boolean

  constructor(wasAsked: boolean, cause?: unknown) {
    super('no answer', { cause })
    this.name = 'NoAnswer'
    this.wasAsked = wasAsked
  }
}

/**
 * Sends one request over its own connection and receives everything sent in return. Throws `NoAnswer`, the
 * `ContextdError` received, or STORE_UNAVAILABLE if the socket may belong to another user. Aborting the signal
 * closes the connection, which cancels the request.
 */
export function converse(
  path: string,
  request: JsonObject,
  { signal, onEvent }: { signal?: AbortSignal; onEvent?: (event: JsonObject) => void } = {},
): Promise<Json> {
  return new Promise((resolve, reject) => {
    refuseOthers(path)
    const socket = connect(path)
    let pending = ''
    let wasAsked = false
    const end = (settle: () => void): void => {
      signal?.removeEventListener('abort', abort)
      socket.destroy()
      settle()
    }
    const fail = (cause?: unknown): void => end(() => reject(new NoAnswer(wasAsked, cause)))
    const abort = (): void => fail(signal?.reason)
    const take = (line: string): void => {
      const received = readAnswer(line)
      if (received === undefined) fail()
      else if (isJsonObject(received.event)) onEvent?.(received.event)
      else if (received.result !== undefined) end(() => resolve(received.result as Json))
      else end(() => reject(readError(received.error)))
    }
    if (signal?.aborted === true) return abort()
    signal?.addEventListener('abort', abort, { once: true })
    socket.setEncoding('utf8')
    socket.on('error', fail)
    socket.on('close', () => fail())
    socket.on('connect', () => {
      wasAsked = true
      socket.write(`${JSON.stringify(request)}\n`)
    })
    socket.on('data', (chunk: string) => {
      const lines = chunk.split('\n')
      for (const [index, part] of lines.entries()) {
        pending += part
        if (index === lines.length - 1 || socket.destroyed) return
        const line = pending
        pending = ''
        take(line)
      }
    })
  })
}

/** If other users can create a socket there, they could receive requests and answer them. */
function refuseOthers(path: string): void {
  const folder = dirname(path)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || process.getuid === undefined) return
  const isOthers = found.uid !== process.getuid()
  if (!isOthers && (found.mode & 0o022) === 0) return
  // A daemon that starts here makes the folder private first.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) throw new NoAnswer(false)
  throw new ContextdError('STORE_UNAVAILABLE', {
    cause: isOthers ? `${folder} belongs to another user` : `others can write to ${folder}`,
    hint: 'Nothing was sent. Make it private with `chmod 700`, or set CONTEXTD_HOME or XDG_RUNTIME_DIR to a private folder.',
  })
}

/** Undefined if the peer is not contextd. */
function readAnswer(line: string): JsonObject | undefined {
  const answer = parsed(line)
  return isJsonObject(answer) ? answer : undefined
}

/** The error that an error object from the wire represents. */
export function readError(error: Json | undefined): ContextdError {
  const { code, message: _, ...details } = isJsonObject(error) ? error : {}
  const known = typeof code === 'string' && Object.hasOwn(errorCatalogue, code)
  return new ContextdError(known ? (code as ErrorCode) : 'INTERNAL', details)
}
