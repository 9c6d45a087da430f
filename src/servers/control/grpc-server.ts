/**
 * The API over gRPC, gRPC-web and Connect: on a Unix socket for this user, and on TCP for callers with one of our
 * certificates. Loaded by the daemon when it opens this door, because connect and the descriptors take time to load.
 */

import { setMaxListeners } from 'node:events'
import { createSecureServer, createServer, type Http2Server } from 'node:http2'

import { Code, ConnectError } from '@connectrpc/connect'

import type { Runtime } from '../../compose.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import type { OpenTls } from '../../platform/tls/open-tls.ts'
import {
  admitPeers,
  keepCertificateCurrent,
  refusalReport,
  serverOptions,
} from '../../platform/tls/serve-tls.ts'
import { watchConnections } from '../limits/door-connections.ts'
import { doorLimits, type DoorLimits, type OnLimitHit } from '../limits/door-limits.ts'
import type { Workspaces } from '../sessions/workspaces.ts'
import { certificateId } from '../sessions/callers.ts'
import { certificatePeers, localPeers, type GrpcPeers } from './grpc-callers.ts'
import { createGrpcHandler } from './grpc-handler.ts'
import { http2Options, watchSessions } from './grpc-http2.ts'
import { createCallerLimits } from './grpc-limits.ts'
import { listenOnPort, listenOnSocket } from '../limits/listen.ts'

export interface ControlParts {
  readonly runtime: Runtime
  /** For callers on this machine that name their own folder. */
  readonly workspaces: Pick<Workspaces, 'use'>
  /** TCP is served if this is set, and only callers with a certificate are accepted there. */
  readonly tls?: OpenTls | undefined
  /** How long running calls may continue after shutdown was requested. */
  readonly graceMs?: number
  /** Overrides the default limits. */
  readonly limits?: Partial<DoorLimits>
  /** Called when a connection or request is dropped because of a limit. */
  readonly onLimitHit?: OnLimitHit
}

export interface ControlServer {
  /** Path of the Unix socket. */
  readonly socket: string
  /** `127.0.0.1:7392`; absent if there are no certificates. */
  readonly tcp?: string
  close(): Promise<void>
}

const usualGraceMs = 1000
const portHint = 'Stop what uses the address, or choose another port: `ctxd config set control.port 7394`.'

export async function serveControl(parts: ControlParts): Promise<ControlServer> {
  const { runtime, workspaces, tls, graceMs = usualGraceMs, onLimitHit = () => {} } = parts
  const limitsOfDoor = { ...doorLimits, ...parts.limits }
  const { config, paths } = runtime
  const limits = createCallerLimits({
    perMinute: config.control.calls_per_minute,
    atOnce: config.control.calls_at_once,
    clock: Date.now,
  })
  const ending = new AbortController()
  // Every open stream adds a listener.
  setMaxListeners(0, ending.signal)
  const doors: { close(): Promise<void> }[] = []
  const close = async (): Promise<void> => {
    // Ends streams that wait for events.
    ending.abort(new ConnectError('contextd is shutting down', Code.Unavailable))
    await Promise.all(doors.map((door) => door.close()))
  }
  const open = async <T>(
    server: Http2Server,
    peers: GrpcPeers,
    listen: (server: Http2Server) => Promise<T>,
  ): Promise<T> => {
    server.on('stream', createGrpcHandler({ runtime, workspaces, peers, limits, ending: ending.signal }))
    const sessions = watchSessions(server, { ...limitsOfDoor, onLimitHit })
    const address = await listen(server)
    doors.push({ close: () => sessions.close(graceMs) })
    return address
  }
  try {
    ensurePrivateFolder(paths.run)
    const http2 = http2Options(config.control.message_bytes)
    const local = createServer(http2)
    local.maxConnections = limitsOfDoor.maxConnections
    const socket = await open(local, localPeers, (server) => listenOnSocket(server, paths.controlSocket))
    if (tls === undefined) return { socket, close }
    const server = createSecureServer({
      ...http2,
      ...serverOptions(tls),
      ALPNProtocols: ['h2'],
      handshakeTimeout: limitsOfDoor.handshakeMs,
    })
    const reports = {
      log: runtime.log,
      onEvent: (name: string, details: JsonObject) => void runtime.audit.event(name, { ...details }),
    }
    const connections = watchConnections(server, limitsOfDoor, onLimitHit)
    admitPeers(server, tls, reports, (one, { serial }) => connections.admit(one, certificateId(serial)))
    const tcp = await open(server, certificatePeers(tls, refusalReport(reports)), (one) =>
      listenOnPort(one, { host: config.control.host, port: config.control.port, hint: portHint }),
    )
    const stopFreshening = keepCertificateCurrent(server, tls, runtime.log)
    doors.push({
      async close() {
        stopFreshening()
        connections.endStrangers()
      },
    })
    return { socket, tcp, close }
  } catch (error) {
    await close()
    throw error
  }
}
