import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

import type { Runtime } from '../../compose.ts'
import { CodedError, describeError, errorCatalogue, type ErrorObject } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { certificateId, certificateToken, serialIn } from '../sessions/callers.ts'
import { doorLimits, type DoorLimits, type OnLimitHit } from '../limits/door-limits.ts'
import { apiCaller, apiPrefix, createHttpApi, sendApiError } from './api.ts'
import { readRequestBody, sendError, sendJson, type ReadBody } from '../wire/http-body.ts'
import { allowedNames, assertListenable, bearerOf, checkOrigin } from '../limits/http-guard.ts'
import { limitHttp } from '../wire/http-limits.ts'
import { createAuditMetrics } from '../metrics/http-metrics-audit.ts'
import { createMetrics, type Metrics } from '../metrics/http-metrics.ts'
import { createHttpListener } from './tls.ts'
import { listenOnPort } from '../limits/listen.ts'
import { createHeldBytes } from '../limits/held-bytes.ts'
import { createMcpHttp } from '../mcp/http.ts'
import { createModelDoor } from '../model/model-door.ts'
import { modelPrefix } from '../model/target.ts'
import { checkSingleHeaders } from '../limits/single-headers.ts'
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

const paths = ['/mcp', '/healthz', '/metrics'] as const

/** The single HTTP listener: `/mcp`, `/api/v1/…`, `/model/…`, `/healthz`, `/metrics`. */
export async function serveHttp(runtime: Runtime, options: HttpOptions = {}): Promise<HttpHandle> {
  const { http } = runtime.config
  const limits = { ...doorLimits, ...options.limits }
  const maxBytes = runtime.config.limits.message_bytes
  const held = createHeldBytes(maxBytes)
  const { host, port } = http
  assertListenable(
    host,
    runtime.tokens.list().some((token) => token.revokedAt === undefined),
  )
  const allowed = allowedNames(host, http.allowed_hosts)
  const metrics = options.metrics ?? createMetrics()
  const audited = createAuditMetrics(runtime, metrics)
  const mcp = createMcpHttp(runtime, {
    idleMs: http.session_idle_minutes * 60_000,
    clock: options.clock ?? Date.now,
    graceMs: options.graceMs ?? 1000,
    isLive(id) {
      const serial = serialIn(id)
      return serial !== undefined && listener.isLive(serial)
    },
  })
  const api = createHttpApi(runtime)
  const models = createModelDoor(runtime, {
    limits,
    allowed,
    admit: ({ socket }, caller) => connections.admit(socket, caller),
    metrics,
    ...(options.workspaces && { workspaces: options.workspaces }),
  })

  const route = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    if (`${path}/`.startsWith(modelPrefix)) return models.handle(request, response)
    const refuse = (error: ErrorObject): void =>
      path.startsWith(apiPrefix) ? sendApiError(response, error) : sendError(response, error)
    const wrong = checkSingleHeaders(request.rawHeaders)?.toObject() ?? checkOrigin(request.headers, allowed)
    if (wrong !== undefined) return refuse(wrong)
    const peer = listener.peerOf(request)
    if (peer !== undefined && 'refused' in peer) return refuse(describeError('CERTIFICATE_REQUIRED'))
    const bearer = bearerOf(request.headers)
    const token =
      (peer && certificateToken(peer)) ?? (bearer === undefined ? undefined : runtime.tokens.verify(bearer))
    const caller = peer === undefined ? token?.id : certificateId(peer.serial)
    if (caller !== undefined) {
      try {
        connections.admit(request.socket, caller)
      } catch (error) {
        if (!(error instanceof CodedError)) throw error
        response.setHeader('connection', 'close')
        return refuse(error.toObject())
      }
    }
    if (path === '/healthz') {
      // Without a token, only whether the daemon runs; with one, also the health of the servers its agent may use.
      const upstream = token && runtime.upstream.health({ agent: token.agent, level: 'token' })
      return sendJson(response, 200, { status: 'ok', ...(upstream && { upstream }) })
    }
    const unauthorized = (): void => {
      const challenge =
        bearer === undefined ? 'Bearer realm="contextd"' : 'Bearer realm="contextd", error="invalid_token"'
      response.setHeader('www-authenticate', challenge)
      refuse(describeError('UNAUTHORIZED'))
    }
    const shown = peer ?? token
    if (caller === undefined || shown === undefined) return unauthorized()
    const read: ReadBody = () => {
      const message = held.open(caller)
      response.once('close', message.close)
      return readRequestBody(request, { ...limits, maxBytes, keep: message.add })
    }
    if (path.startsWith(apiPrefix)) {
      return api.handle(request, response, apiCaller(request.headers, shown), read)
    }
    // An operator's certificate is valid for the API only.
    if (token === undefined) return unauthorized()
    if (path === '/mcp') return mcp.handle(request, response, token, read)
    if (path === '/metrics') {
      await audited.catchUp()
      const gauges = audited.gauges({ agent: token.agent, level: 'token' })
      response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
      response.end(metrics.render({ contextd_http_sessions: mcp.sessions(), ...gauges }))
      return
    }
    sendError(response, describeError('NOT_FOUND', { what: 'such page' }))
  }

  const onLimitHit: OnLimitHit = (limit) =>
    metrics.count('contextd_connections_dropped_total', { door: 'http', limit })
  const handle: RequestListener = (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? ''
    response.once('close', () => {
      const known =
        [apiPrefix, modelPrefix].find((one) => path.startsWith(one)) ?? paths.find((one) => one === path)
      metrics.count('contextd_http_requests_total', {
        path: known ?? 'other',
        status: String(response.statusCode),
      })
      if (response.statusCode === errorCatalogue.REQUEST_INCOMPLETE.http) onLimitHit('body')
    })
    route(request, response, path).catch((error: unknown) => {
      runtime.log('error', 'an http request failed', { cause: String(error) })
      if (response.headersSent) response.destroy()
      else sendError(response, error instanceof CodedError ? error.toObject() : describeError('INTERNAL'))
    })
  }
  const listener = createHttpListener(runtime, handle, limits)
  const { server, scheme } = listener
  const connections = limitHttp(server, limits, onLimitHit)
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

/** If we listen on all addresses, clients on this machine use loopback. */
const reachable: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' }
