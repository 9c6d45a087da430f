import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import {
  createServer as createRawServer,
  type AddressInfo,
  type Server as RawServer,
  type Socket,
} from 'node:net'

import { afterEach } from 'vitest'

import { ownPort } from './own-port.ts'

export type Listener = (...parts: Parameters<RequestListener>) => unknown

/** Servers on loopback that are closed after the test, including connections. */
export interface WebServers {
  /** Returns the port. */
  listen(server: RawServer, host?: string, port?: number): Promise<number>
  serve(listener: Listener, host?: string, port?: number): Promise<number>
  /** Handles each connection with this function. */
  serveRaw(onConnection: (socket: Socket) => unknown): Promise<number>
  /** A port where nothing listens. */
  closedPort(): Promise<number>
}

export function webServers(): WebServers {
  const open = new Map<RawServer, Set<Socket>>()
  const close = (server: RawServer): Promise<unknown> => {
    for (const socket of open.get(server)!) socket.destroy()
    open.delete(server)
    return new Promise((resolve) => server.close(resolve))
  }
  afterEach(async () => {
    await Promise.all([...open.keys()].map(close))
  })
  const servers: WebServers = {
    async listen(server, host = '127.0.0.1', port = 0) {
      const sockets = new Set<Socket>()
      open.set(server, sockets)
      server.on('connection', (socket: Socket) => {
        sockets.add(socket.on('error', () => {}))
        socket.once('close', () => sockets.delete(socket))
      })
      await new Promise<void>((resolve) => server.listen(port, host, resolve))
      return (server.address() as AddressInfo).port
    },
    serve: (listener, host, port) =>
      servers.listen(
        createServer((request, response) => void listener(request, response)),
        host,
        port,
      ),
    serveRaw: (onConnection) =>
      servers.listen(createRawServer((socket) => void onConnection(socket.resume()))),
    closedPort: ownPort,
  }
  return servers
}

export async function textOf(message: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of message) text += String(chunk)
  return text
}
