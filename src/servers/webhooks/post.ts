import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'

import { VERSION } from '@contextd/shared/version'
import { dial, lookupName, secure, type Lookup } from '../../tools/http/dial.ts'
import { responseProblem, FetchProblem } from '../../tools/http/fetch-problem.ts'
import { hostHeader } from '../../tools/http/target.ts'
import { limitTime } from '../../tools/http/time-limit.ts'
import { endpointGrants, readEndpoint } from './endpoint.ts'

export interface PostOptions {
  readonly timeoutMs: number
  readonly lookup?: Lookup
  /** Trusted certificate authorities, instead of Node's defaults. */
  readonly ca?: string
}

export interface Posted {
  readonly status: number
  readonly retryAfter?: string
}

/** Sends a body once. Throws `FetchProblem` if there is no response. */
export type Post = (
  url: string,
  message: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
  signal?: AbortSignal,
) => Promise<Posted>

/** Only the response headers are used, and at most this many bytes are read. */
const maxHeadBytes = 8192

/** Connects directly: follows no redirects and uses no proxy from the environment. */
export function createPost({ timeoutMs, lookup = lookupName, ca }: PostOptions): Post {
  return async (url, { headers, body }, unwanted) => {
    const target = readEndpoint(url)
    if (typeof target === 'string') throw new FetchProblem('not_granted', target)
    const time = limitTime(timeoutMs, unwanted)
    let socket: Socket | undefined
    try {
      const { signal } = time
      const { host, port } = target
      socket = await dial({ method: 'POST', host, port }, endpointGrants(target), { lookup, signal })
      if (target.secure) socket = await secure(socket, host, { ca, signal })
      const bytes = Buffer.from(body)
      const head = {
        'user-agent': `contextd/${VERSION}`,
        ...headers,
        host: hostHeader(target),
        'content-length': bytes.length,
        connection: 'close',
      }
      const { statusCode = 0, headers: responseHeaders } = await send(socket, {
        path: target.path,
        head,
        bytes,
        signal,
      })
      const retryAfter = responseHeaders['retry-after']
      return { status: statusCode, ...(retryAfter !== undefined && { retryAfter }) }
    } catch (error) {
      throw responseProblem(error)
    } finally {
      time.stop()
      socket?.destroy()
    }
  }
}

interface Sent {
  readonly path: string
  readonly head: Readonly<Record<string, string | number>>
  readonly bytes: Uint8Array
  readonly signal: AbortSignal
}

function send(socket: Socket, { path, head, bytes, signal }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const message = httpRequest({
      createConnection: () => socket,
      method: 'POST',
      path,
      setHost: false,
      headers: head,
      maxHeaderSize: maxHeadBytes,
    })
    const stop = (): void => {
      reject(signal.reason as Error)
      message.destroy()
    }
    signal.addEventListener('abort', stop, { once: true })
    message.on('response', resolve)
    message.on('error', reject)
    message.on('upgrade', () => reject(responseProblem(undefined)))
    message.end(bytes)
  })
}
