import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, type AddressInfo, type Socket } from 'node:net'

import { onTestFinished } from 'vitest'

import type { Certified } from './certificates.ts'

export interface SeenConnect {
  /** Host and port of the requested tunnel. */
  readonly target: string | undefined
  readonly headers: IncomingMessage['headers']
}

export interface ConnectProxy {
  readonly host: string
  readonly port: number
  /** Every requested tunnel, in order. */
  readonly seen: readonly SeenConnect[]
  /** Everything that passed through the tunnels. */
  readonly passed: () => Buffer
}

export interface ConnectProxyOptions {
  /** Rejects every tunnel with this status. */
  readonly refuseWith?: number
  /** Clients connect to the proxy over TLS. */
  readonly certified?: Certified
}

/** A proxy that opens tunnels. Names are not resolved: all tunnels lead to this machine. */
export async function startConnectProxy({
  refuseWith,
  certified,
}: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const seen: SeenConnect[] = []
  const passed: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = certified === undefined ? createServer() : createSecureServer(certified)
  server.on('connection', (socket) => sockets.add(socket))
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    seen.push({ target: request.url, headers: request.headers })
    socket.on('error', () => {})
    if (refuseWith !== undefined)
      return socket.end(`HTTP/1.1 ${refuseWith} Refused\r\ncontent-length: 5\r\n\r\nsorry`)
    const port = Number(request.url?.split(':').at(-1))
    const there = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      there.write(head)
      socket.on('data', (data: Buffer) => passed.push(data))
      socket.pipe(there).pipe(socket)
    })
    sockets.add(there)
    there.on('error', () => socket.destroy())
    there.on('close', () => socket.destroy())
    socket.on('close', () => there.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, port, seen, passed: () => Buffer.concat(passed) }
}
