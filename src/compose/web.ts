/** Network access to granted hosts, for tools and for the programs of a command. Loaded on first use. */

import { join } from 'node:path'

import type { Call } from '../core/call.ts'
import type { Capability } from '../core/capability.ts'
import { ContextdError } from '../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../core/ports.ts'
import type { Config } from '../platform/config/config-schema.ts'
import type { Paths } from '../platform/files/paths.ts'
import { createOwnPorts } from '../platform/own-ports.ts'
import { bridgeEnv } from '../sandbox/bridge/forward.ts'
import { refusalEnv } from '../sandbox/bridge/refuse.ts'
import type { EgressFor } from '../tools/http/host-fetch.ts'
import type { ReportRequest, RequestReport } from '../tools/http/request-report.ts'
import type { ShellBridge } from '../tools/shell/shell.ts'
import type { ServerBridge } from '../tools/upstream/stdio/confined-process.ts'
import type { RevealedSecrets } from './revealing.ts'
import { connectServices, maxRequests, servicesIn, type HostRefusals } from './services.ts'

export interface Web {
  readonly egressFor: EgressFor
  /** For the programs of a command; undefined if the sandbox is off. */
  openBridge(host: ToolHost): Promise<ShellBridge | undefined>
  /** For an MCP server in the sandbox, with the grants it declares; undefined if it declares no host. */
  openServerBridge(server: string, grants: readonly Capability[]): Promise<ServerBridge | undefined>
  /** For the tool host of a call; undefined if no host is granted. */
  fetchFor(call: Call): ToolHost['fetch']
}

export interface WebParts {
  readonly config: Config
  readonly paths: Paths
  readonly given: Pick<RevealedSecrets, 'isIn'>
  /** `call` is absent if an MCP server makes the request on its own. */
  readonly onEvent: (name: string, details: JsonObject, call?: Call) => void
}

/** Per run of a tool. */
const maxFetches = 1000

export function openWeb({ config, paths, given, onEvent }: WebParts): Web {
  const timeMs = config.fetch.time_ms
  const responseBytes = config.fetch.response_kb * 1024
  const folder = join(paths.run, 'net')
  const isOwnPort = createOwnPorts([config.http.port, config.control.port])
  const report = (request: RequestReport, call: Call): void =>
    onEvent('http-request', inSnakeCase(request), call)
  const reportOf = (server: string, request: RequestReport): void =>
    onEvent('http-request', { ...inSnakeCase(request), upstream: server })

  const egressFor: EgressFor = (call) => {
    let count = 0
    return {
      async fetch(request, grants, options) {
        count += 1
        // Each request is recorded: a tool in a loop must not fill the audit log either.
        if (count > maxFetches) {
          const agent = call.principal?.agent ?? 'nobody'
          throw new ContextdError('RATE_LIMITED', { agent, limit: `${maxFetches} requests` })
        }
        const { createEgress } = await import('../tools/http/egress.ts')
        const { exceptOwnPorts } = await import('../tools/http/own-ports-closed.ts')
        const egress = createEgress({
          timeMs,
          responseBytes,
          report: (sent) => report(sent, call),
          isGiven: (text) => given.isIn(call, text),
        })
        return egress.fetch(request, exceptOwnPorts(grants, isOwnPort), options)
      },
    }
  }

  let cleanup: Promise<void> | undefined

  const bridgeTo = async (
    grants: readonly Capability[],
    send: ReportRequest,
    maxRequestCount: number,
    refused: HostRefusals,
  ): Promise<ServerBridge> => {
    const { openBridge } = await import('../tools/http/bridge.ts')
    const { removeDeadBridges } = await import('../tools/http/bridge-socket.ts')
    const { compileHostGrants } = await import('../tools/http/host-grants.ts')
    const { exceptOwnPorts } = await import('../tools/http/own-ports-closed.ts')
    await (cleanup ??= removeDeadBridges(folder))
    const bridge = await openBridge({
      folder,
      timeMs,
      grants: exceptOwnPorts(compileHostGrants(grants), isOwnPort),
      report: bounded(send, maxRequestCount, refused),
    })
    return { ...bridge, env: bridgeEnv({ toLoopback: grants.some(isLoopback) }) }
  }

  return {
    egressFor,
    async openBridge({ call }) {
      // Without a sandbox, commands are not routed to a proxy, and another process must not get those connections.
      if (config.sandbox.mode === 'off') return undefined
      const refused: HostRefusals = new Map()
      const send = (request: RequestReport): void => report(request, call)
      const services = servicesIn(call.grants)
      const bridge =
        mayFetch(call) || services.length > 0
          ? await bridgeTo(call.grants, send, maxRequests, refused)
          : { env: refusalEnv, close: async () => {} }
      if (services.length > 0)
        return connectServices(
          { ...bridge, refused, noteRefused: async () => {} },
          { services, call, folder, isOwnPort, onEvent },
        )
      return {
        ...bridge,
        refused,
        noteRefused: (requests) => noteRefused(requests, bounded(send, maxRequests, refused)),
      }
    },
    async openServerBridge(server, grants) {
      if (config.sandbox.mode === 'off' || !mayFetch({ grants })) return undefined
      return bridgeTo(grants, (request) => reportOf(server, request), Infinity, new Map())
    },
    fetchFor(call) {
      if (!mayFetch(call)) return undefined
      const egress = egressFor(call)
      return async (...args) => {
        const { hostFetch } = await import('../tools/http/host-fetch.ts')
        return hostFetch(egress, call)(...args)
      }
    },
  }
}

/** A request over the limit ends the bridge: a command in a loop must not fill the audit log. */
function bounded(send: ReportRequest, maxRequestCount: number, refused: HostRefusals): ReportRequest {
  let count = 0
  return (request) => {
    count += 1
    if (count > maxRequestCount) throw new Error('one command made too many requests')
    if (request.refusal !== undefined) refused.set(`${request.host}:${request.port}`, request.refusal)
    send(request)
  }
}

/** Records what the proxy inside refused, as the bridge would have. */
async function noteRefused(requests: readonly string[], send: ReportRequest): Promise<void> {
  if (requests.length === 0) return
  const { readAuthority } = await import('../tools/http/target.ts')
  const { compileHostGrants, missingGrant } = await import('../tools/http/host-grants.ts')
  const none = compileHostGrants([])
  for (const request of requests) {
    const [, method, authority = ''] = /^([A-Z-]{1,20}) (\S+)$/.exec(request) ?? []
    const destination = readAuthority(authority)
    if (method === undefined || destination === undefined) continue
    const reason = none.whyNot(destination) ?? ''
    const refusal = { reason, grant: missingGrant(reason, destination) }
    const { host, port } = destination
    const nothing = { sentBytes: 0, receivedBytes: 0, durationMs: 0 }
    send({ method, host: host.name, port, ...nothing, outcome: 'not_granted', refusal })
  }
}

/** As all other fields in a record. */
function inSnakeCase({ sentBytes, receivedBytes, durationMs, refusal, ...rest }: RequestReport): JsonObject {
  return {
    ...rest,
    ...(refusal && { reason: refusal.reason, ...(refusal.grant !== undefined && { grant: refusal.grant }) }),
    sent_bytes: sentBytes,
    received_bytes: receivedBytes,
    duration_ms: durationMs,
  }
}

function isLoopback({ kind, scope = '' }: Capability): boolean {
  return kind === 'http:fetch' && /^(?:[^@]*@)?(?:localhost(?::|$)|127\.|\[::1\])/i.test(scope)
}

function mayFetch({ grants }: Pick<Call, 'grants'>): boolean {
  return grants.some(({ kind }) => kind === 'http:fetch')
}
