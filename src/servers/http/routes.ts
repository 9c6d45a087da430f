/** Passes each request to the part that serves its path, once the caller is known and within its limits. */

import type { IncomingMessage, ServerResponse } from 'node:http'

import type { Runtime } from '../../compose.ts'
import { CodedError, describeError, type ErrorObject } from '../../core/errors/errors.ts'
import type { DoorConnections } from '../limits/door-connections.ts'
import type { DoorLimits } from '../limits/door-limits.ts'
import { createHeldBytes } from '../limits/held-bytes.ts'
import { checkOrigin } from '../limits/http-guard.ts'
import { checkSingleHeaders } from '../limits/single-headers.ts'
import type { McpHttp } from '../mcp/http.ts'
import { createAuditMetrics } from '../metrics/http-metrics-audit.ts'
import type { Metrics } from '../metrics/http-metrics.ts'
import type { ModelDoor } from '../model/model-door.ts'
import { modelPrefix } from '../model/target.ts'
import { readRequestBody, sendError, sendJson, type ReadBody } from '../wire/http-body.ts'
import { apiCaller, apiPrefix, createHttpApi, sendApiError } from './api.ts'
import { identifyHttpCaller, type HttpCaller } from './http-caller.ts'
import type { HttpListener } from './tls.ts'

export interface HttpRouteParts {
  readonly listener: Pick<HttpListener, 'peerOf'>
  readonly connections: Pick<DoorConnections, 'admit'>
  readonly limits: DoorLimits
  /** Our host names that a request may be addressed to. */
  readonly allowed: readonly string[]
  readonly metrics: Metrics
  readonly mcp: McpHttp
  readonly models: ModelDoor
}

export type HttpRoute = (request: IncomingMessage, response: ServerResponse, path: string) => Promise<void>

const pages = ['/mcp', '/healthz', '/metrics'] as const

/** The path as it is counted in metrics. */
export function countedPath(path: string): string {
  return (
    [apiPrefix, modelPrefix].find((one) => path.startsWith(one)) ??
    pages.find((one) => one === path) ??
    'other'
  )
}

export function createHttpRoute(runtime: Runtime, parts: HttpRouteParts): HttpRoute {
  const { listener, connections, limits, allowed, metrics, mcp, models } = parts
  const maxBytes = runtime.config.limits.message_bytes
  const held = createHeldBytes(maxBytes)
  const audited = createAuditMetrics(runtime, metrics)
  const api = createHttpApi(runtime)

  const readerFor =
    (request: IncomingMessage, response: ServerResponse, caller: string): ReadBody =>
    () => {
      const message = held.open(caller)
      response.once('close', message.close)
      return readRequestBody(request, { ...limits, maxBytes, keep: message.add })
    }

  /** Without a token, only whether the daemon runs; with one, also the health of the servers its agent may use. */
  const sendHealth = (response: ServerResponse, { token }: HttpCaller): void => {
    const upstream = token && runtime.upstream.health({ agent: token.agent, level: 'token' })
    sendJson(response, 200, { status: 'ok', ...(upstream && { upstream }) })
  }

  const sendMetrics = async (response: ServerResponse, agent: string): Promise<void> => {
    await audited.catchUp()
    const gauges = audited.gauges({ agent, level: 'token' })
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
    response.end(metrics.render({ contextd_http_sessions: mcp.sessions(), ...gauges }))
  }

  return async (request, response, path) => {
    if (`${path}/`.startsWith(modelPrefix)) return models.handle(request, response)
    const refuse = (error: ErrorObject): void =>
      path.startsWith(apiPrefix) ? sendApiError(response, error) : sendError(response, error)
    const wrong = checkSingleHeaders(request.rawHeaders)?.toObject() ?? checkOrigin(request.headers, allowed)
    if (wrong !== undefined) return refuse(wrong)
    const caller = identifyHttpCaller(request, listener, runtime.tokens)
    if (caller === 'refused') return refuse(describeError('CERTIFICATE_REQUIRED'))
    const { id, token, credentials } = caller
    const excess = id === undefined ? undefined : connectionExcess(connections, request, id)
    if (excess !== undefined) {
      response.setHeader('connection', 'close')
      return refuse(excess)
    }
    if (path === '/healthz') return sendHealth(response, caller)
    const refuseUnauthorized = (): void => {
      response.setHeader('www-authenticate', challengeFor(caller))
      refuse(describeError('UNAUTHORIZED'))
    }
    if (id === undefined || credentials === undefined) return refuseUnauthorized()
    const read = readerFor(request, response, id)
    if (path.startsWith(apiPrefix)) {
      return api.handle(request, response, apiCaller(request.headers, credentials), read)
    }
    // An operator's certificate is valid for the API only.
    if (token === undefined) return refuseUnauthorized()
    if (path === '/mcp') return mcp.handle(request, response, token, read)
    if (path === '/metrics') return sendMetrics(response, token.agent)
    sendError(
      response,
      describeError('NOT_FOUND', {
        what: 'page at this address',
        hint: 'MCP is at /mcp, the API below /api/v1/.',
      }),
    )
  }
}

/** Counts the connection for this caller. The error if it has too many. */
function connectionExcess(
  connections: Pick<DoorConnections, 'admit'>,
  { socket }: IncomingMessage,
  caller: string,
): ErrorObject | undefined {
  try {
    connections.admit(socket, caller)
    return undefined
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    return error.toObject()
  }
}

function challengeFor({ hasBearer }: HttpCaller): string {
  return hasBearer ? 'Bearer realm="contextd", error="invalid_token"' : 'Bearer realm="contextd"'
}
