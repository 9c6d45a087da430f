import { createServer } from 'node:http'
import type { Socket } from 'node:net'

import { relay } from './bridge-relay.ts'
import { listenInFolder } from './bridge-socket.ts'
import { tunnel } from './bridge-tunnel.ts'
import type { BridgeContext } from './bridge-context.ts'
import { lookupName } from './dial.ts'

export interface BridgeOptions extends Pick<BridgeContext, 'grants' | 'report' | 'timeMs'> {
  /** The folder of its socket; created private to this user. */
  readonly folder: string
  readonly idleMs?: number
  readonly lookup?: BridgeContext['lookup']
  /** The trusted certificate authorities, instead of Node's. */
  readonly ca?: string
}

export interface HttpBridge {
  readonly socket: string
  /** Closes every connection. Everything has been reported by then. */
  close(): Promise<void>
}

/** For the programs of one command; a package manager opens a few dozen. */
const maxClients = 64
const headersMs = 15_000
const usualIdleMs = 120_000

/**
 * A proxy for the programs of one sandboxed command. They have no network but this socket, so the checks here do not
 * depend on their cooperation.
 */
export async function openBridge({ folder, ...options }: BridgeOptions): Promise<HttpBridge> {
  const context: BridgeContext = { idleMs: usualIdleMs, lookup: lookupName, ca: undefined, ...options }
  const server = createServer({ headersTimeout: headersMs, requestTimeout: 0 })
  server.maxConnections = maxClients
  server.timeout = context.idleMs
  const connections = new Set<Socket>()
  const running = new Set<Promise<void>>()

  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const connection of connections) connection.destroy()
    await Promise.all([closed, ...running])
  }
  const busy = new WeakSet<Socket>()
  // One at a time: pipelined requests could open any number of connections through a single one.
  const answer = (connection: Socket, work: () => Promise<void>): void => {
    if (busy.has(connection)) return void connection.destroy()
    busy.add(connection)
    const ended = work()
      // Only reporting throws here, and a request that cannot be reported must not continue.
      .catch(() => void close())
      .finally(() => {
        busy.delete(connection)
        running.delete(ended)
      })
    running.add(ended)
  }
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.on('error', () => connection.destroy())
    connection.once('close', () => connections.delete(connection))
  })
  server.on('clientError', (_error, client) => client.destroy())
  server.on('request', (request, response) => answer(request.socket, () => relay(request, response, context)))
  server.on('connect', (request, _client, head) =>
    answer(request.socket, () => tunnel(request, head, context)),
  )
  return { socket: await listenInFolder(server, folder), close }
}
