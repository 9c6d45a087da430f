import { randomBytes } from 'node:crypto'
import { chmodSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'

import { ContextdError } from '../../core/errors.ts'
import { ensurePrivateFolder } from '../../platform/private-folder.ts'
import { relay } from './bridge-relay.ts'
import { tunnel } from './bridge-tunnel.ts'
import type { BridgeWay } from './bridge-way.ts'
import { lookupName } from './dial.ts'

export interface BridgeOptions extends Pick<BridgeWay, 'grants' | 'report' | 'timeMs'> {
  /** Where its socket lies; made private to this user. */
  readonly folder: string
  readonly idleMs?: number
  readonly lookup?: BridgeWay['lookup']
  /** The authorities that are trusted, in place of those Node comes with. */
  readonly ca?: string
}

export interface Bridge {
  readonly socket: string
  /** Ends every connection. All has been reported by then. */
  close(): Promise<void>
}

/** Of the programs of one command at a time; a package manager opens a few dozen. */
const mostConnections = 64
const headersMs = 15_000
const usualIdleMs = 120_000
/** What the kernel takes as a socket name; a longer one is cut without an error. */
const longestPath = 107

/**
 * A proxy for the programs of one sandboxed command. They have no network, only this socket, so that what is checked here
 * does not rest on their manners.
 */
export async function openBridge({ folder, ...options }: BridgeOptions): Promise<Bridge> {
  const way: BridgeWay = { idleMs: usualIdleMs, lookup: lookupName, ca: undefined, ...options }
  const server = createServer({ headersTimeout: headersMs, requestTimeout: 0 })
  server.maxConnections = mostConnections
  server.timeout = way.idleMs
  const connections = new Set<Socket>()
  const running = new Set<Promise<void>>()

  const close = async (): Promise<void> => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const connection of connections) connection.destroy()
    await Promise.all([closed, ...running])
  }
  const track = (work: Promise<void>): void => {
    // Only a report throws here, and what cannot be reported must not go on.
    const ended = work.catch(() => void close()).finally(() => running.delete(ended))
    running.add(ended)
  }
  server.on('connection', (connection: Socket) => {
    connections.add(connection)
    connection.on('error', () => connection.destroy())
    connection.once('close', () => connections.delete(connection))
  })
  server.on('clientError', (_error, client) => client.destroy())
  server.on('request', (request, response) => track(relay(request, response, way)))
  server.on('connect', (request, client, head) => track(tunnel(request, client as Socket, head, way)))
  return { socket: await listen(server, folder), close }
}

async function listen(server: Server, folder: string): Promise<string> {
  ensurePrivateFolder(folder)
  const path = join(folder, `${randomBytes(8).toString('hex')}.sock`)
  const failed = (cause: string): ContextdError =>
    new ContextdError('LISTEN_FAILED', { address: path, cause })
  if (Buffer.byteLength(path) > longestPath) throw failed(`longer than ${longestPath} bytes`)
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(failed(message)))
    server.listen(path, resolve)
  })
  chmodSync(path, 0o600)
  return path
}
