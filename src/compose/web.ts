/** Network access to granted hosts, for tools and for the programs of a command. Loaded on first use. */

import { join } from 'node:path'

import type { Call } from '../core/call.ts'
import type { Capability } from '../core/capability.ts'
import { ContextdError } from '../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../core/ports.ts'
import type { Config } from '../platform/config/config-schema.ts'
import type { Paths } from '../platform/files/paths.ts'
import { bridgeEnv } from '../sandbox/bridge/forward.ts'
import type { EgressFor } from '../tools/http/host-fetch.ts'
import type { ReportRequest, RequestReport } from '../tools/http/request-report.ts'
import type { ShellBridge } from '../tools/shell/shell.ts'
import type { RevealedSecrets } from './revealing.ts'

export interface Web {
  readonly egressFor: EgressFor
  /** For the programs of a command; undefined if its call has no host granted. */
  openBridge(host: ToolHost): Promise<ShellBridge | undefined>
  /** For an MCP server in the sandbox, with the grants it declares; undefined if it declares no host. */
  openServerBridge(server: string, grants: readonly Capability[]): Promise<ShellBridge | undefined>
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

/** Per command; installing a large project makes about a thousand. */
const maxRequests = 10_000
/** Per run of a tool. */
const maxFetches = 1000

export function openWeb({ config, paths, given, onEvent }: WebParts): Web {
  const timeMs = config.fetch.time_ms
  const responseBytes = config.fetch.response_kb * 1024
  const folder = join(paths.run, 'net')
  const report = (request: RequestReport, call: Call): void =>
    onEvent('http-request', inSnakeCase(request), call)
  const reportOf = (server: string, request: RequestReport): void =>
    onEvent('http-request', { ...inSnakeCase(request), upstream: server })

  const egressFor: EgressFor = (call) => {
    let count = 0
    return {
      async fetch(...args) {
        count += 1
        // Each request is recorded: a tool in a loop must not fill the audit log either.
        if (count > maxFetches) {
          const agent = call.principal?.agent ?? 'nobody'
          throw new ContextdError('RATE_LIMITED', { agent, limit: `${maxFetches} requests` })
        }
        const { createEgress } = await import('../tools/http/egress.ts')
        const egress = createEgress({
          timeMs,
          responseBytes,
          report: (request) => report(request, call),
          isGiven: (text) => given.isIn(call, text),
        })
        return egress.fetch(...args)
      },
    }
  }

  // A request over the limit ends the bridge: a command in a loop must not fill the audit log.
  const bounded = (send: ReportRequest, maxRequestCount: number, refused: Set<string>): ReportRequest => {
    let count = 0
    return (request) => {
      count += 1
      if (count > maxRequestCount) throw new Error('one command made too many requests')
      if (request.outcome === 'not_granted') refused.add(`${request.host}:${request.port}`)
      send(request)
    }
  }
  let cleanup: Promise<void> | undefined

  const bridgeTo = async (
    grants: readonly Capability[],
    send: ReportRequest,
    maxRequestCount: number,
  ): Promise<ShellBridge | undefined> => {
    // Without a sandbox, commands are not routed to the proxy, and another process must not get those connections.
    if (!mayFetch({ grants }) || config.sandbox.mode === 'off') return undefined
    const { openBridge } = await import('../tools/http/bridge.ts')
    const { removeDeadBridges } = await import('../tools/http/bridge-socket.ts')
    const { compileHostGrants } = await import('../tools/http/host-grants.ts')
    await (cleanup ??= removeDeadBridges(folder))
    const refused = new Set<string>()
    const bridge = await openBridge({
      folder,
      timeMs,
      grants: compileHostGrants(grants),
      report: bounded(send, maxRequestCount, refused),
    })
    return { ...bridge, refused, env: bridgeEnv({ toLoopback: grants.some(isLoopback) }) }
  }

  return {
    egressFor,
    openBridge: ({ call }) => bridgeTo(call.grants, (request) => report(request, call), maxRequests),
    openServerBridge: (server, grants) => bridgeTo(grants, (request) => reportOf(server, request), Infinity),
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

/** As all other fields in a record. */
function inSnakeCase({ sentBytes, receivedBytes, durationMs, ...rest }: RequestReport): JsonObject {
  return { ...rest, sent_bytes: sentBytes, received_bytes: receivedBytes, duration_ms: durationMs }
}

function isLoopback({ kind, scope = '' }: Capability): boolean {
  return kind === 'http:fetch' && /^(?:[^@]*@)?(?:localhost(?::|$)|127\.|\[::1\])/i.test(scope)
}

function mayFetch({ grants }: Pick<Call, 'grants'>): boolean {
  return grants.some(({ kind }) => kind === 'http:fetch')
}
