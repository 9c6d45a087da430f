/**
 * A `fetch` for the SDK on our own sockets: they are closed with the connection, it is known whether a request was sent, and
 * redirects to other origins are not followed.
 */

import { setMaxListeners } from 'node:events'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'

import type { Clock } from '../../../core/ports.ts'
import { BodyRefused, eventLimit, wholeLimit } from './body-limits.ts'

export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/** The request got no usable response. */
export class RequestFailed extends Error {
  /** Whether the server may have seen the request. */
  readonly sent: boolean

  constructor(why: string, sent: boolean) {
    super(why)
    this.name = 'RequestFailed'
    this.sent = sent
  }
}

export interface FetchOptions {
  /** Added to every request, unless it has a header of the same name. */
  readonly headers?: Readonly<Record<string, string>>
  readonly maxMessageBytes: number
  readonly clock: Clock
  /** Called when the server exceeds a limit. */
  readonly onRefused?: (why: string) => void
  /** Called with each response and the mark of its request. */
  readonly onResponse?: (mark: string | undefined, isStream: boolean) => void
}

export interface HttpFetch {
  readonly fetch: Fetch
  /** Closes all sockets. */
  close(): void
}

/** An internal header, never sent: it identifies the request that a response belongs to. */
export const markHeader = 'x-contextd-mark'

const maxRedirects = 3
/** Concurrent requests, each on its own socket. */
const maxSockets = 256
/** Headers that are managed by Node. */
const managedHeaders = new Set(['connection', 'content-length', 'host', 'transfer-encoding', 'upgrade'])

function ignore(): void {}

export function openFetch(options: FetchOptions): HttpFetch {
  const pool = { keepAlive: true, maxSockets, maxFreeSockets: 4, timeout: 0 }
  const agents = { 'http:': new HttpAgent(pool), 'https:': new HttpsAgent(pool) }
  let isClosed = false

  const send = (url: URL, init: RequestInit, headers: Headers): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const isTls = url.protocol === 'https:'
      let sent = false
      // One signal may abort any number of requests; this avoids the listener warning.
      if (init.signal != null) setMaxListeners(0, init.signal)
      const request = (isTls ? httpsRequest : httpRequest)(url, {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(headers),
        agent: agents[isTls ? 'https:' : 'http:'],
        ...(init.signal != null && { signal: init.signal }),
      })
      request.once('socket', (socket) => {
        // A request aborted just as its response ends destroys a socket without an error listener.
        if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
        if (!socket.connecting) sent = true
        else socket.once(isTls ? 'secureConnect' : 'connect', () => (sent = true))
      })
      request.once('response', resolve)
      request.once('error', (error) =>
        reject(isAborted(init) ? error : new RequestFailed(reasonOf(error), sent)),
      )
      request.end(bodyOf(init))
    })

  const follow = async (start: URL, init: RequestInit, headers: Headers): Promise<IncomingMessage> => {
    let url = start
    for (let followed = 0; ; followed += 1) {
      const answer = await send(url, init, headers)
      const next = redirectOf(answer, url)
      if (next === undefined || init.redirect === 'manual') return answer
      answer.resume()
      const why = redirectProblem(url, next, answer.statusCode ?? 0, init.method ?? 'GET')
      if (why !== undefined) throw new RequestFailed(why, true)
      if (followed === maxRedirects)
        throw new RequestFailed(`it redirects more than ${maxRedirects} times`, true)
      url = next
    }
  }

  return {
    async fetch(target, init = {}) {
      if (isClosed) throw new RequestFailed('the connection was closed', false)
      const url = new URL(target)
      if (!(url.protocol in agents))
        throw new RequestFailed(`${url.protocol} is not a supported protocol`, false)
      const headers = new Headers(init.headers)
      const mark = headers.get(markHeader) ?? undefined
      headers.delete(markHeader)
      for (const [name, value] of Object.entries(options.headers ?? {})) {
        if (!headers.has(name) && !managedHeaders.has(name.toLowerCase())) headers.set(name, value)
      }
      // The size limits apply to uncompressed bytes.
      headers.set('accept-encoding', 'identity')
      const answer = await follow(url, init, headers)
      const isStream = /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')
      options.onResponse?.(mark, isStream)
      return responseOf(answer, isStream, options)
    },
    close() {
      isClosed = true
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}

/** Statuses without a response body. */
const bodiless = new Set([204, 205, 304])

function responseOf(answer: IncomingMessage, isStream: boolean, options: FetchOptions): Response {
  const { statusCode = 502, statusMessage = '' } = answer
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  if (statusCode < 200 || statusCode > 599) {
    answer.destroy()
    throw new RequestFailed(`it answered with the status ${statusCode}`, true)
  }
  const hasBody = !bodiless.has(statusCode)
  if (!hasBody) answer.resume()
  const body = hasBody ? Readable.toWeb(Readable.from(limited(answer, isStream, options))) : null
  return new Response(body as ReadableStream | null, {
    status: statusCode,
    statusText: statusMessage,
    headers,
  })
}

async function* limited(
  answer: IncomingMessage,
  isStream: boolean,
  { maxMessageBytes, clock, onRefused }: FetchOptions,
): AsyncGenerator<Uint8Array> {
  const encoding = answer.headers['content-encoding'] ?? 'identity'
  const count = isStream ? eventLimit(maxMessageBytes, clock) : wholeLimit(maxMessageBytes)
  try {
    if (encoding !== 'identity')
      throw new BodyRefused('it compressed its response although `identity` was requested')
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      count(chunk)
      yield chunk
    }
  } catch (error) {
    if (error instanceof BodyRefused) onRefused?.(error.message)
    throw error
  } finally {
    answer.destroy()
  }
}

const redirects = new Set([301, 302, 303, 307, 308])

function redirectOf({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | undefined {
  if (!redirects.has(statusCode) || headers.location === undefined) return undefined
  return URL.canParse(headers.location, from.href) ? new URL(headers.location, from) : undefined
}

/** Requests carry credentials, which are only for the declared server. */
function redirectProblem(from: URL, to: URL, status: number, method: string): string | undefined {
  if (to.origin !== from.origin) return `it redirects to another server (${to.origin}), which is not followed`
  if (to.username !== '' || to.password !== '') return 'it redirects with credentials, which is not followed'
  if (method !== 'GET' && status !== 307 && status !== 308)
    return 'it redirects a request with a body, which is not followed'
  return undefined
}

function bodyOf({ body }: RequestInit): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new RequestFailed('the request has a body of an unknown kind', false)
}

function isAborted({ signal }: RequestInit): boolean {
  return signal?.aborted === true
}

/** Node's messages name hosts and ports, which are not secret. Errors without a message are described by their code. */
function reasonOf(error: NodeJS.ErrnoException): string {
  const { code = '', message } = error
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host name cannot be resolved'
  if (code === 'ECONNRESET') return 'it closed the connection'
  return message === '' ? code : message
}
