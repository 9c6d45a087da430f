/**
 * One JSON object a line on a Unix socket, for hooks and fast commands: `{"method":"status"}` is answered by
 * `{"result":…}` or `{"error":…}`, some methods by lines `{"event":…}` before it. Reachable only by this user, because its
 * folder is.
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

/** The way back to whoever asked. */
export interface SocketLine {
  /** Aborted when the client has closed its end. */
  readonly signal: AbortSignal
  /** How long the question is, in characters. */
  readonly length: number
  /** Says something before the answer. */
  send(event: JsonObject): void
}

/** Longer requests are not ours. A hook may bring the whole output of a tool. */
export const maxLine = 32 << 20
/** Whoever reads so slowly that more than this waits for it is cut off. */
const maxWaiting = 64 << 20

export interface HookSocket {
  /** Also ends the lines that are open, and with them what is still being done for them. */
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
      // Only what is new is searched: a long line comes in thousands of pieces.
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
        // What was answered still arrives; nobody waits for the other end to hang up.
        socket.unref().destroySoon()
      }
    },
  }
}

function writerOf(socket: Socket): (line: JsonObject) => void {
  return (line) => {
    if (!socket.writable) return
    socket.write(`${JSON.stringify(line)}\n`)
    // One answer may be large; a stream that nobody reads must not be kept for ever.
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

/** Undefined for what is no JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A busy machine may keep a daemon waiting for its disk this long; where none runs, that shows at once. */
const usualPatienceMs = 15_000

/** Asks a running daemon. Throws DAEMON_NOT_RUNNING where nobody answers. */
export async function askDaemon(
  path: string,
  request: JsonObject,
  timeoutMs: number = usualPatienceMs,
): Promise<Json> {
  const late = new AbortController()
  // One that sends a little now and then is no daemon that answers.
  const timer = setTimeout(() => late.abort(), timeoutMs)
  try {
    return await converse(path, request, { signal: late.signal })
  } catch (error) {
    throw error instanceof NoAnswer ? new ContextdError('DAEMON_NOT_RUNNING', {}, { cause: error }) : error
  } finally {
    clearTimeout(timer)
  }
}

/** Nobody is there, or whoever was there went away before it had answered. */
export class NoAnswer extends Error {
  /** Whether the question had reached somebody. */
  readonly wasAsked: boolean

  constructor(wasAsked: boolean, cause?: unknown) {
    super('no answer', { cause })
    this.name = 'NoAnswer'
    this.wasAsked = wasAsked
  }
}

/**
 * One question over a line of its own, and everything that is said to it. Throws `NoAnswer`, the `ContextdError` that was
 * answered, or STORE_UNAVAILABLE where the socket may be another user's. The signal closes the line, which cancels what was asked for.
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
      const said = readAnswer(line)
      if (said === undefined) fail()
      else if (isJsonObject(said.event)) onEvent?.(said.event)
      else if (said.result !== undefined) end(() => resolve(said.result as Json))
      else end(() => reject(readError(said.error)))
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

/** Where others can put a socket, others would be told what is asked, and would answer. */
function refuseOthers(path: string): void {
  const folder = dirname(path)
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined || process.getuid === undefined) return
  const isOthers = found.uid !== process.getuid()
  if (!isOthers && (found.mode & 0o022) === 0) return
  // A daemon that starts here closes the folder first.
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) throw new NoAnswer(false)
  throw new ContextdError('STORE_UNAVAILABLE', {
    cause: isOthers ? `${folder} belongs to another user` : `others can write to ${folder}`,
    hint: 'Nothing was asked. Close it with `chmod 700`, or set CONTEXTD_HOME or XDG_RUNTIME_DIR to a folder of your own.',
  })
}

/** Undefined where it is somebody else who answers. */
function readAnswer(line: string): JsonObject | undefined {
  const answer = parsed(line)
  return isJsonObject(answer) ? answer : undefined
}

/** The error that an error object on a wire stands for. */
export function readError(error: Json | undefined): ContextdError {
  const { code, message: _, ...details } = isJsonObject(error) ? error : {}
  const known = typeof code === 'string' && Object.hasOwn(errorCatalogue, code)
  return new ContextdError(known ? (code as ErrorCode) : 'INTERNAL', details)
}
