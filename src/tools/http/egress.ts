import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { VERSION } from '@contextd/shared/version'
import { overrideMethods } from './method-override.ts'
import { dial, lookupName, secure, type Lookup } from './dial.ts'
import { responseProblem, FetchProblem } from './fetch-problem.ts'
import type { HostGrants } from './host-grants.ts'
import { checkRequest, redirectAfter, type CheckedRequest, type FetchRequest } from './request.ts'
import { noteConnection, reported, type ReportRequest } from './request-report.ts'
import { acceptedEncodings, readResponseBody, type Body } from './response-body.ts'
import { hostHeader } from './target.ts'
import { limitTime } from './time-limit.ts'

export interface EgressOptions {
  /** For one request, including redirects. */
  readonly timeMs: number
  /** Max size of one response, decompressed. The rest is not read. */
  readonly responseBytes: number
  readonly report: ReportRequest
  /** Whether a URL or header contains a secret that was revealed to the caller for the host it named. */
  readonly isGiven?: (text: string) => boolean
  readonly lookup?: Lookup
  /** The trusted certificate authorities, instead of Node's. */
  readonly ca?: string
}

export interface FetchResponse extends Body {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The final URL, after redirects. */
  readonly url: string
  /** Why the last redirect was not followed. */
  readonly unfollowed?: string
}

export interface Egress {
  /** Throws `FetchProblem`. */
  fetch(request: FetchRequest, grants: HostGrants, options?: { signal?: AbortSignal }): Promise<FetchResponse>
}

const maxRedirects = 5

/** Fetches from granted hosts on behalf of callers without a network. Ignores proxies set in the environment. */
export function createEgress(options: EgressOptions): Egress {
  return {
    async fetch(request, grants, { signal } = {}) {
      const time = limitTime(options.timeMs, signal)
      try {
        let next = checked(request, options.report)
        for (let redirect = 0; redirect <= maxRedirects; redirect++) {
          const answer = await exchange(next, grants, options, time.signal)
          if (!('next' in answer)) return answer
          next = answer.next
        }
        throw new FetchProblem('too_many_redirects', 'the server redirects too many times')
      } finally {
        time.stop()
      }
    },
  }
}

function checked(request: FetchRequest, report: ReportRequest): CheckedRequest {
  try {
    return checkRequest(request)
  } catch (error) {
    report({ method: 'UNKNOWN', sentBytes: 0, receivedBytes: 0, durationMs: 0, outcome: 'invalid' })
    throw error
  }
}

/** One request and its response. */
function exchange(
  request: CheckedRequest,
  grants: HostGrants,
  options: EgressOptions,
  signal: AbortSignal,
): Promise<FetchResponse | { next: CheckedRequest }> {
  const { target, method } = request
  const destination = {
    method,
    otherMethods: overrideMethods({
      ...request,
      path: target.path,
      hasBody: (request.body?.length ?? 0) > 0,
    }),
    host: target.host,
    port: target.port,
  }
  const named = { method, host: target.host.name, port: target.port }
  return reported(options.report, named, async (progress) => {
    try {
      signal.throwIfAborted()
      const { lookup = lookupName, ca } = options
      const socket = noteConnection(progress, await dial(destination, grants, { lookup, signal }))
      const connection = target.secure ? await secure(socket, target.host, { ca, signal }) : socket
      const response = await send(request, connection, signal)
      const status = response.statusCode ?? 0
      progress.status = status
      const { location } = response.headers
      const redirect = redirectAfter(request, { status, location }, options.isGiven)
      if (redirect !== undefined && 'next' in redirect) return redirect
      const body = await readAnswer(response, options.responseBytes, signal)
      return { status, headers: response.headers, url: target.url, ...body, ...redirect }
    } catch (error) {
      progress.problem = responseProblem(error)
      throw progress.problem
    }
  })
}

function send(
  { target, method, headers, body }: CheckedRequest,
  connection: Socket,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const message = httpRequest({
      createConnection: () => connection,
      method,
      path: target.path,
      setHost: false,
      headers: {
        'user-agent': `contextd/${VERSION}`,
        accept: '*/*',
        'accept-encoding': acceptedEncodings,
        ...headers,
        host: hostHeader(target),
        connection: 'close',
        ...(body !== undefined && { 'content-length': body.length }),
      },
    })
    whenAborted(signal, connection, reject)
    message.on('response', resolve)
    message.on('error', reject)
    // An upgrade was never requested.
    message.on('upgrade', () => reject(responseProblem(undefined)))
    message.end(body)
  })
}

async function readAnswer(response: IncomingMessage, limit: number, signal: AbortSignal): Promise<Body> {
  try {
    return await readResponseBody(response, response.headers['content-encoding'], limit)
  } catch (error) {
    // After an abort the connection looks broken; the signal has the reason.
    signal.throwIfAborted()
    throw error
  }
}

function whenAborted(signal: AbortSignal, connection: Socket, tell: (reason: Error) => void): void {
  const stop = (): void => {
    tell(signal.reason as Error)
    connection.destroy()
  }
  signal.addEventListener('abort', stop, { once: true })
  connection.once('close', () => signal.removeEventListener('abort', stop))
}
