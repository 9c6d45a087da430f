/** The redirect target of a sign-in: a local server that accepts one request. */

import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Callback {
  readonly url: string
  /** Returns the parameters of the redirect with this `state`. Rejects with the signal's reason. */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>
  close(): void
}

const path = '/callback'

export async function openCallback(): Promise<Callback> {
  let state: string | undefined
  let arrived: (params: URLSearchParams) => void = () => {}
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    const url = new URL(request.url ?? '/', `http://127.0.0.1:${port}`)
    // Protects against DNS rebinding: the host must be ours.
    const isOurs = request.method === 'GET' && url.pathname === path && request.headers.host === url.host
    if (!isOurs) return answer(response, 404, 'Not found.')
    if (state === undefined || !isEqual(url.searchParams.get('state'), state)) {
      return answer(response, 400, 'This is not the sign-in that was started.')
    }
    state = undefined
    answer(response, 200, 'Signed in. You can close this window and return to contextd.')
    arrived(url.searchParams)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    wait: (expected, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const onAbort = (): void => reject(signal.reason)
        signal.addEventListener('abort', onAbort, { once: true })
        state = expected
        arrived = (params) => {
          signal.removeEventListener('abort', onAbort)
          resolve(params)
        }
      }),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' })
    .end(`${text}\n`)
}

function isEqual(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
