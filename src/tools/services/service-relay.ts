/**
 * Connects the programs of one sandboxed command to granted services of the user, such as a database. Each service has
 * a separate Unix socket, so that nothing a program sends decides where a connection leads.
 */

import { connect, createServer, type Server, type Socket } from 'node:net'

import type { ServiceAddress } from '../../core/service-address.ts'
import { listenInFolder } from '../http/bridge-socket.ts'

export type ServiceOutcome = 'connected' | 'own_port' | 'unreachable'

/** The audit record of one connection. */
export interface ServiceReport extends ServiceAddress {
  readonly sentBytes: number
  readonly receivedBytes: number
  readonly durationMs: number
  readonly outcome: ServiceOutcome
}

export interface RelayOptions {
  readonly folder: string
  readonly services: readonly ServiceAddress[]
  /** Checked for every connection: contextd may have started to listen there since. */
  readonly isOwnPort: (port: number) => boolean
  /** Called for every connection. If it throws, the relay closes. */
  readonly report: (report: ServiceReport) => void
}

export interface ServiceRelay {
  readonly services: readonly (ServiceAddress & { readonly socket: string })[]
  /** Closes every connection. Everything has been reported by then. */
  close(): Promise<void>
}

/** Per service; a connection pool opens a few dozen. */
const maxConnections = 64

export async function openServiceRelay({
  folder,
  services,
  ...options
}: RelayOptions): Promise<ServiceRelay> {
  const servers: Server[] = []
  const clients = new Set<Socket>()
  const running = new Set<Promise<void>>()
  const close = async (): Promise<void> => {
    const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)))
    for (const client of clients) client.destroy()
    await Promise.all([...closed, ...running])
  }
  const serve = (address: ServiceAddress): Server => {
    const server = createServer({ allowHalfOpen: true }, (client) => {
      clients.add(client)
      client.once('close', () => clients.delete(client))
      const ended = passOn(client, address, options)
        // Only reporting throws here, and a connection that cannot be reported must not continue.
        .catch(() => void close())
        .finally(() => running.delete(ended))
      running.add(ended)
    })
    server.maxConnections = maxConnections
    servers.push(server)
    return server
  }
  const opened: ServiceRelay['services'][number][] = []
  try {
    for (const address of services)
      opened.push({ ...address, socket: await listenInFolder(serve(address), folder) })
  } catch (error) {
    await close()
    throw error
  }
  return { services: opened, close }
}

/** Resolves when both ends are closed and the connection is reported. */
async function passOn(
  client: Socket,
  { host, port }: ServiceAddress,
  { isOwnPort, report }: Pick<RelayOptions, 'isOwnPort' | 'report'>,
): Promise<void> {
  const began = performance.now()
  client.on('error', () => {})
  const tell = (outcome: ServiceOutcome, service?: Socket): void =>
    report({
      host,
      port,
      sentBytes: service?.bytesWritten ?? 0,
      receivedBytes: service?.bytesRead ?? 0,
      durationMs: Math.round(performance.now() - began),
      outcome,
    })
  if (isOwnPort(port)) {
    client.destroy()
    return tell('own_port')
  }
  const service = connect({ host, port, allowHalfOpen: true, noDelay: true })
  let isConnected = false
  service.once('connect', () => (isConnected = true))
  service.on('error', () => client.destroy())
  client.once('close', () => service.destroy())
  // The last bytes of the service may still be on their way to the program.
  service.once('close', () => client.writableEnded || client.destroy())
  client.pipe(service)
  service.pipe(client)
  await Promise.all([client, service].map((end) => new Promise((resolve) => end.once('close', resolve))))
  if (isConnected) tell('connected', service)
  else tell('unreachable')
}
