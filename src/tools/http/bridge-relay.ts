import {
  request as httpRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'

import { overrideMethods } from './method-override.ts'
import { refusalOf, reportInvalid, untilCancelled, type BridgeContext } from './bridge-context.ts'
import { dial, secure } from './dial.ts'
import { responseProblem, FetchProblem } from './fetch-problem.ts'
import { noteConnection, reported, type RequestProgress } from './request-report.ts'
import { endToEndHeaders } from '../../platform/end-to-end-headers.ts'
import { hostHeader, readTarget, type RequestTarget } from './target.ts'

/** `GET http://host/path`: unencrypted, so every request is checked and forwarded individually. */
export async function relay(
  request: IncomingMessage,
  response: ServerResponse,
  context: BridgeContext,
): Promise<void> {
  const { method = '', url = '' } = request
  const target = readTarget(url)
  if (typeof target === 'string' || method === 'TRACE') {
    reportInvalid(context, method)
    refuse(
      response,
      new FetchProblem('invalid', typeof target === 'string' ? target : 'the method is unknown'),
    )
    return
  }
  await reported(context.report, { method, host: target.host.name, port: target.port }, async (progress) => {
    try {
      const connection = await untilCancelled(context, response, (signal) =>
        connect(target, request, context, progress, signal),
      )
      connection.setTimeout(context.idleMs, () =>
        connection.destroy(new FetchProblem('timeout', 'nothing came for too long')),
      )
      await passOn(request, response, { target, connection, progress })
      if (!response.writableFinished) throw new FetchProblem('cancelled', 'the program went away')
    } catch (error) {
      progress.problem = responseProblem(error)
      refuse(response, progress.problem)
    }
  })
}

async function connect(
  target: RequestTarget,
  { method = '', headers }: IncomingMessage,
  { grants, lookup, ca }: BridgeContext,
  progress: RequestProgress,
  signal: AbortSignal,
): Promise<Socket> {
  const { host, port, path } = target
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = headers
  const hasBody = coding !== undefined || Number(length) !== 0
  const otherMethods = overrideMethods({ method, path, headers, hasBody })
  const destination = { method, otherMethods, host, port }
  const socket = noteConnection(progress, await dial(destination, grants, { lookup, signal }))
  return target.secure ? secure(socket, host, { ca, signal }) : socket
}

/** Resolves when the response was forwarded, or the program disconnected. */
function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  { target, connection, progress }: { target: RequestTarget; connection: Socket; progress: RequestProgress },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { 'transfer-encoding': coding, 'content-length': length } = request.headers
    const onward = httpRequest({
      createConnection: () => connection,
      method: request.method!,
      path: target.path,
      setHost: false,
      headers: {
        ...forwardedHeaders(request),
        host: hostHeader(target),
        connection: 'close',
        // Set explicitly: for some methods Node sends a body without announcing it, which would be read as the next
        // request.
        ...(coding !== undefined && { 'transfer-encoding': 'chunked' }),
        ...(coding === undefined && length !== undefined && { 'content-length': length }),
      },
    })
    onward.on('error', reject)
    // Upgrade headers are never forwarded.
    onward.on('upgrade', () => reject(responseProblem(undefined)))
    onward.on('response', (answer) => {
      progress.status = answer.statusCode ?? 0
      answer.on('error', reject)
      try {
        writeHead(response, answer)
      } catch (error) {
        // A status or phrase that can be parsed but not written; thrown here it would end the process.
        reject(error)
        return
      }
      answer.pipe(response)
    })
    response.once('close', () => {
      connection.destroy()
      // The response may arrive before the request is complete; the rest is not needed.
      request.unpipe(onward)
      request.resume()
      resolve()
    })
    if (coding === undefined && length === undefined) onward.end()
    else request.pipe(onward)
  })
}

function writeHead(response: ServerResponse, answer: IncomingMessage): void {
  const { 'content-length': length } = answer.headers
  response.sendDate = false
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, {
    ...forwardedHeaders(answer),
    ...(length !== undefined && { 'content-length': length }),
  })
}

/** Without those that say how the bytes are framed here. */
function forwardedHeaders({ rawHeaders }: IncomingMessage): OutgoingHttpHeaders {
  const passed = new Map<string, string[]>()
  for (const [written, value] of endToEndHeaders(rawHeaders)) {
    const name = written.toLowerCase()
    if (name === 'content-length' || name === 'host') continue
    passed.set(name, [...(passed.get(name) ?? []), value])
  }
  return Object.fromEntries(passed)
}

function refuse(response: ServerResponse, problem: FetchProblem): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const { status, phrase, text } = refusalOf(problem)
  response.writeHead(status, phrase, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
  response.end(text)
}
