/** Our own tools, and those people make themselves, with everything they work with. */

import { join } from 'node:path'

import type { Call } from '../core/call.ts'
import type { Capability } from '../core/capability.ts'
import type { JsonObject } from '../core/json.ts'
import type { Clock, CountTokens, ToolHost } from '../core/ports.ts'
import type { Tool } from '../core/tool.ts'
import { loadOrCreateKey } from '../platform/keys.ts'
import type { Config } from '../platform/config/config-schema.ts'
import { ownProgramPaths } from '../platform/own-program.ts'
import type { Paths } from '../platform/paths.ts'
import type { Store } from '../platform/storage/store.ts'
import { bridgeEnv } from '../sandbox/bridge/forward.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { builtinTools, isBuiltin } from '../tools/builtin/registry.ts'
import { createFileTools } from '../tools/files/file-tools.ts'
import { openBridge } from '../tools/http/bridge.ts'
import { removeDeadBridges } from '../tools/http/bridge-socket.ts'
import { createHttpBroker } from '../tools/http/broker.ts'
import { hostFetch, type BrokerFor } from '../tools/http/host-fetch.ts'
import { compileHostGrants } from '../tools/http/host-grants.ts'
import type { ReportRequest, RequestReport } from '../tools/http/request-report.ts'
import { processExecutor } from '../tools/plugins/process-executor.ts'
import { openUserTools, type UserTools } from '../tools/plugins/user-tools.ts'
import { createShell } from '../tools/shell/shell.ts'
import { openToolchains } from '../tools/shell/toolchains.ts'
import { openSandbox, sandboxEnv, sandboxLimits } from './sandbox.ts'

export interface ToolParts {
  readonly config: Config
  readonly paths: Paths
  readonly project: string
  /** Whether callers were put into the project without having chosen it. */
  readonly isShared: boolean
  readonly env: NodeJS.ProcessEnv
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  readonly count: CountTokens
  /** Whether a tool that was brought along has this name. */
  readonly isBrought: (name: string) => boolean
  readonly onEvent: (name: string, details: JsonObject, call: Call) => void
}

export interface OpenTools {
  readonly builtin: readonly Tool[]
  readonly user: UserTools
  readonly sandbox: Sandbox
  /** For the host of a call; undefined where it is granted no host. */
  fetchFor(call: Call): ToolHost['fetch']
  close(): Promise<void>
}

/** Of one command; an install of a large project makes some thousand. */
const mostRequests = 10_000

export function openTools(parts: ToolParts): OpenTools {
  const { config, paths, env, clock, isBrought, onEvent } = parts
  const ownFolders = [paths.config, paths.state, paths.run]
  const protect = [...config.sandbox.protect, ...ownProgramPaths(parts.isShared)]
  const limits = sandboxLimits(config)
  const toolchains = openToolchains(config.sandbox.readable)
  const sandbox = openSandbox(config, paths)

  const report = (request: RequestReport, call: Call): void =>
    onEvent('http-request', inSnakeCase(request), call)
  const timeMs = config.fetch.time_ms
  const responseBytes = config.fetch.response_kb * 1024
  const brokerFor: BrokerFor = (call) =>
    createHttpBroker({ timeMs, responseBytes, report: (request) => report(request, call) })
  // What cannot be reported ends the bridge: a command in a loop must not fill the audit.
  const bounded = (call: Call, refused: Set<string>): ReportRequest => {
    let count = 0
    return (request) => {
      count += 1
      if (count > mostRequests) throw new Error('one command made too many requests')
      if (request.outcome === 'not_granted') refused.add(`${request.host}:${request.port}`)
      report(request, call)
    }
  }
  const bridges = join(paths.run, 'net')
  void removeDeadBridges(bridges).catch(() => {})
  const shell = createShell({
    sandbox,
    limits,
    env: sandboxEnv(config, env),
    toolchains,
    ownFolders,
    protect,
    async openBridge({ call }) {
      // Nothing takes connections to the proxy outside a sandbox, and whoever is there instead must not get them.
      if (!mayFetch(call) || config.sandbox.mode === 'off') return undefined
      const grants = compileHostGrants(call.grants)
      const refused = new Set<string>()
      const bridge = await openBridge({
        folder: bridges,
        grants,
        timeMs,
        report: bounded(call, refused),
      })
      return { ...bridge, refused, env: bridgeEnv({ toLoopback: call.grants.some(isLoopback) }) }
    },
  })
  const files = createFileTools({
    hashKey: loadOrCreateKey(join(paths.keys, 'files.key')),
    ownFolders,
    protect,
    notes: join(paths.state, 'writes'),
  })
  const builtin = builtinTools({ shell, files, brokerFor })
  const user = openUserTools({
    ...parts,
    stateFolder: paths.state,
    executor: processExecutor(sandbox),
    limits,
    toolchains,
    ownFolders,
    protect,
    brokerFor,
    isTaken: (name) => isBrought(name) || isBuiltin(name),
    clock,
  })
  return {
    builtin,
    user,
    sandbox,
    fetchFor: (call) => (mayFetch(call) ? hostFetch(brokerFor(call), call) : undefined),
    close: () => sandbox.close(),
  }
}

/** As everything else in a record. */
function inSnakeCase({ sentBytes, receivedBytes, durationMs, ...rest }: RequestReport): JsonObject {
  return { ...rest, sent_bytes: sentBytes, received_bytes: receivedBytes, duration_ms: durationMs }
}

function isLoopback({ kind, scope = '' }: Capability): boolean {
  return kind === 'http:fetch' && /^(?:[^@]*@)?(?:localhost|127\.|\[::1\])/i.test(scope)
}

function mayFetch({ grants }: Call): boolean {
  return grants.some(({ kind }) => kind === 'http:fetch')
}
