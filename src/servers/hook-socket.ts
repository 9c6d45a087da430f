/**
 * One JSON object a line on a Unix socket, for hooks and fast commands: `{"method":"status"}` is answered by
 * `{"result":…}` or `{"error":…}`. Reachable only by this user, because its folder is.
 */

import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'

import { ContextdError, describeError, errorCatalogue, type ErrorCode } from '../core/errors.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

export type SocketHandler = (request: JsonObject) => Promise<Json> | Json

/** Longer requests are not ours. A hook may bring the whole output of a tool. */
export const maxLine = 32 << 20
/** What the kernel takes as a socket name; a longer one is cut without an error, and we would listen elsewhere. */
const maxPath = 107

export async function serveHookSocket(
  path: string,
  handlers: Record<string, SocketHandler>,
): Promise<Server> {
  if (Buffer.byteLength(path) > maxPath) {
    const hint = 'Set CONTEXTD_HOME or XDG_RUNTIME_DIR to a folder with a shorter name.'
    throw new ContextdError('LISTEN_FAILED', { address: path, cause: `longer than ${maxPath} bytes`, hint })
  }
  // A live daemon holds the pid file, so whatever lies here now was left behind by a dead one.
  rmSync(path, { force: true })
  const server = createServer((socket) => {
    let pending = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('data', (chunk: string) => {
      if (pending.length + chunk.length > maxLine) return socket.destroy()
      // Only what is new is searched: a long line comes in thousands of pieces.
      const [first = '', ...others] = chunk.split('\n')
      const lines = [pending + first, ...others]
      pending = lines.pop() ?? ''
      for (const line of lines) {
        void answerLine(line, handlers).then((answer) => socket.write(`${JSON.stringify(answer)}\n`))
      }
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: Error) =>
      reject(new ContextdError('LISTEN_FAILED', { address: path, cause: cause.message }, { cause })),
    )
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return server
}

async function answerLine(line: string, handlers: Record<string, SocketHandler>): Promise<JsonObject> {
  try {
    const request: unknown = JSON.parse(line)
    const method = isJsonObject(request) && typeof request.method === 'string' ? request.method : ''
    const handler = Object.hasOwn(handlers, method) ? handlers[method] : undefined
    if (!isJsonObject(request) || handler === undefined) {
      return {
        error: { ...describeError('INVALID_REQUEST', { what: 'expected {"method": …}' }) } as JsonObject,
      }
    }
    return { result: await handler(request) }
  } catch (error) {
    const known = error instanceof ContextdError ? error.toObject() : describeError('INTERNAL')
    return { error: { ...known } as JsonObject }
  }
}

/** Asks a running daemon. Throws DAEMON_NOT_RUNNING where nobody answers. */
export function askDaemon(path: string, request: JsonObject, timeoutMs: number): Promise<Json> {
  return new Promise((resolve, reject) => {
    const socket = connect(path)
    let received = ''
    // One that sends a little now and then is no daemon that answers.
    const late = setTimeout(() => fail(), timeoutMs)
    const fail = (cause?: unknown): void => {
      clearTimeout(late)
      socket.destroy()
      reject(new ContextdError('DAEMON_NOT_RUNNING', {}, { cause }))
    }
    socket.setEncoding('utf8')
    socket.on('error', fail)
    socket.on('end', fail)
    socket.on('connect', () => socket.write(`${JSON.stringify(request)}\n`))
    socket.on('data', (chunk: string) => {
      const end = chunk.indexOf('\n')
      received += end < 0 ? chunk : chunk.slice(0, end)
      if (end < 0) return
      clearTimeout(late)
      socket.destroy()
      const answer = readAnswer(received)
      if (answer === undefined) fail()
      else if (answer.result !== undefined) resolve(answer.result)
      else reject(readError(answer.error))
    })
  })
}

/** Undefined where it is somebody else who answers. */
function readAnswer(line: string): JsonObject | undefined {
  try {
    const answer: unknown = JSON.parse(line)
    return isJsonObject(answer) ? answer : undefined
  } catch {
    return undefined
  }
}

/** The error that an error object on a wire stands for. */
export function readError(error: Json | undefined): ContextdError {
  const { code, message: _, ...details } = isJsonObject(error) ? error : {}
  const known = typeof code === 'string' && Object.hasOwn(errorCatalogue, code)
  return new ContextdError(known ? (code as ErrorCode) : 'INTERNAL', details)
}
