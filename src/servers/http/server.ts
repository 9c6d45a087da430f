import type { RequestListener } from 'node:http'

import type { Runtime } from '../../compose.ts'
import { CodedError, describeError, errorCatalogue } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { serialIn } from '../sessions/callers.ts'
import { doorLimits, type DoorLimits, type OnLimitHit } from '../limits/door-limits.ts'
import { sendError } from '../wire/http-body.ts'
import { allowedNames, assertListenable } from '../limits/http-guard.ts'
import { limitHttp } from '../wire/http-limits.ts'
import { createMetrics, type Metrics } from '../metrics/http-metrics.ts'
import { countedPath, createHttpRoute, type HttpRoute } from './routes.ts'
import { createHttpListener } from './tls.ts'
import { listenOnPort } from '../limits/listen.ts'
import { createMcpHttp } from '../mcp/http.ts'
import { createModelDoor } from '../model/model-door.ts'
import type { Workspaces } from '../sessions/workspaces.ts'

export interface HttpOptions {
  readonly clock?: Clock
  /** How long running calls may continue after shutdown was requested. */
  readonly graceMs?: number
  /** Shared with other parts; a new instance by default. */
  readonly metrics?: Metrics
  /** Overrides the default limits. */
  readonly limits?: Partial<DoorLimits>
  /** For model requests, which belong to the folder of their client. */
  readonly workspaces?: Pick<Workspaces, 'use'>
}

export interface HttpHandle {
  /** The URL of the MCP endpoint. */
  readonly url: string
  /**
   * Ends idle sessions and the streams of revoked tokens and keys now; a timer does so every minute. Failures are
   * logged.
   */
  sweep(): Promise<void>
  close(): Promise<void>
}

/** The single HTTP listener: `/mcp`, `/api/v1/…`, `/model/…`, `/healthz`, `/metrics`. */
export async function serveHttp(runtime: Runtime, options: HttpOptions = {}): Promise<HttpHandle> {
  const { http } = runtime.config
  const { host, port } = http
  const { metrics = createMetrics(), clock = Date.now, graceMs = 1000, workspaces } = options
  const limits = { ...doorLimits, ...options.limits }
  assertListenable(
    host,
    runtime.tokens.list().some((token) => token.revokedAt === undefined),
  )
  const onLimitHit: OnLimitHit = (limit) =>
    metrics.count('contextd_connections_dropped_total', { door: 'http', limit })
  const listener = createHttpListener(runtime, (request, response) => handle(request, response), limits)
  const { server, scheme } = listener
  const connections = limitHttp(server, limits, onLimitHit)
  const allowed = allowedNames(host, http.allowed_hosts)
  const mcp = createMcpHttp(runtime, {
    idleMs: http.session_idle_minutes * 60_000,
    clock,
    graceMs,
    isLive(id) {
      const serial = serialIn(id)
      return serial !== undefined && listener.isLive(serial)
    },
  })
  const models = createModelDoor(runtime, {
    limits,
    allowed,
    admit: ({ socket }, caller) => connections.admit(socket, caller),
    metrics,
    ...(workspaces && { workspaces }),
  })
  const route = createHttpRoute(runtime, { listener, connections, limits, allowed, metrics, mcp, models })
  const handle = handlerOf(route, { log: runtime.log, metrics, onLimitHit })
  const address = await listenOnPort(server, { host, port, shownAs: reachable[host] ?? host })
  const sweep = async (): Promise<void> => {
    try {
      models.sweep()
      await mcp.sweep()
    } catch (error) {
      runtime.log('error', 'a sweep failed', { cause: String(error) })
    }
  }
  const sweeping = setInterval(() => void sweep(), 60_000)
  sweeping.unref()
  return {
    url: `${scheme}://${address}/mcp`,
    sweep,
    async close() {
      clearInterval(sweeping)
      listener.stop()
      const closed = new Promise((resolve) => server.close(resolve))
      await mcp.close()
      connections.endStrangers()
      server.closeAllConnections()
      models.close()
      await closed
    },
  }
}

/** Counts every response, and answers requests that failed. */
function handlerOf(
  route: HttpRoute,
  { log, metrics, onLimitHit }: Pick<Runtime, 'log'> & { metrics: Metrics; onLimitHit: OnLimitHit },
): RequestListener {
  return (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    response.once('close', () => {
      const status = String(response.statusCode)
      metrics.count('contextd_http_requests_total', { path: countedPath(path), status })
      if (response.statusCode === errorCatalogue.REQUEST_INCOMPLETE.http) onLimitHit('body')
    })
    route(request, response, path).catch((error: unknown) => {
      log('error', 'an http request failed', { cause: String(error) })
      if (response.headersSent) response.destroy()
      else sendError(response, error instanceof CodedError ? error.toObject() : describeError('INTERNAL'))
    })
  }
}

/** If we listen on all addresses, clients on this machine use loopback. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
