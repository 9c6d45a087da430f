/** Where the browser comes back to after a sign-in: a server on this machine, for one visit. */

import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Callback {
  readonly url: string
  /** What the browser brought with the right `state`. Rejects with the reason of the signal. */
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
    // A page that a foreign name leads here with is not our browser coming back.
    const isOurs = request.method === 'GET' && url.pathname === path && request.headers.host === url.host
    if (!isOurs) return answer(response, 404, 'There is nothing here.')
    if (state === undefined || !isSame(url.searchParams.get('state'), state)) {
      return answer(response, 400, 'This is not the sign-in that was begun.')
    }
    state = undefined
    answer(response, 200, 'Back to contextd: this window can be closed.')
    arrived(url.searchParams)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    wait: (expected, signal) =>
      new Promise((resolve, reject) => {
        signal.throwIfAborted()
        const giveUp = (): void => reject(signal.reason)
        signal.addEventListener('abort', giveUp, { once: true })
        state = expected
        arrived = (params) => {
          signal.removeEventListener('abort', giveUp)
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

function isSame(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? ''), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
