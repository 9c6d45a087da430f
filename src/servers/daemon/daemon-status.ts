/** The daemon's status. */

import type { Runtime } from '../../compose.ts'
import { tlsConfigProblem } from '../../platform/tls/tls-config-problem.ts'
import { readTlsFolder } from '../../platform/tls/tls-folder.ts'
import { VERSION } from '@contextd/shared/version'
import type { SandboxState } from '../../sandbox/sandbox.ts'
import type { RuleBookStatus } from '../../stages/policy/rule-book.ts'
import { ensureFirstToken } from './first-token.ts'
import type { DaemonStatus } from '../local/running-daemon.ts'

export interface DaemonState {
  readonly startedAt: string
  readonly sandbox: SandboxState
  /** Address of the MCP endpoint. */
  readonly mcp: string
  /** Address of gRPC for other machines; absent if it is closed to them. */
  readonly grpc: string | undefined
}

/** Computed for every request: rules and servers change, and new rules may lack the first token's agent. */
export function daemonStatusOf(
  runtime: Runtime,
  { startedAt, sandbox, mcp, grpc }: DaemonState,
): DaemonStatus {
  return {
    version: VERSION,
    pid: process.pid,
    mcp,
    control: runtime.paths.controlSocket,
    grpc: describeGrpc(grpc, runtime.paths.tls),
    store: runtime.store.path,
    workspace: runtime.project,
    sandbox: describeSandbox(sandbox),
    rules: describeRules(runtime.rules.status()),
    upstream: describeUpstream(runtime.upstream),
    connect: connectCommand(mcp, ensureFirstToken(runtime)),
    started_at: startedAt,
  }
}

/** The certificate folder is read every time: `ctxd tls init` may have created it, or a wrong clock may be fixed. */
function describeGrpc(address: string | undefined, folder: string): string {
  const problem = tlsConfigProblem(folder, Date.now())?.message
  if (problem !== undefined)
    return address === undefined ? `closed to other machines: ${problem}` : `${address}; ${problem}`
  if (address !== undefined) return address
  return readTlsFolder(folder) === undefined
    ? 'closed to other machines until `ctxd tls init` and a restart'
    : 'closed to other machines until a restart: `ctxd stop`, then `ctxd start`'
}

function describeSandbox(state: SandboxState): string {
  if (!state.available) return `not available: ${state.cause}; ${state.fix}`
  if (state.driver === 'none') return 'OFF: agents run commands with all your permissions'
  return `ready (${state.version}, memory ${state.memory === 'cgroup' ? 'by cgroup' : 'best effort'})`
}

function describeRules({ files, lastError }: RuleBookStatus): string {
  const inForce = files
    .filter(({ state }) => state !== 'not trusted')
    .map(({ path, state }) => `${path} (${state})`)
  const untrusted = files
    .filter(({ state }) => state === 'not trusted')
    .map(({ path }) => `${path} is not trusted`)
  const problem = lastError === undefined ? [] : [`last change refused: ${lastError.problem}`]
  return [inForce.join(', ') || 'built-in', ...untrusted, ...problem].join('; ')
}

function describeUpstream({ status, health }: Runtime['upstream']): string {
  const { lastError, warnings } = status()
  const each = health().map(({ server, state, connections, why, since, last_line: lastLine }) =>
    state === 'failing'
      ? `${server} (failing since ${since}: ${why}${lastLine === undefined ? '' : `; it last said: ${lastLine}`})`
      : `${server} (${state === 'connected' ? `${connections} connected` : state})`,
  )
  const problem = lastError === undefined ? [] : [`last change refused: ${lastError.problem}`]
  return [each.join(', ') || 'none', ...problem, ...warnings].join('; ')
}

/** The token stays in its file: printed text may be copied, logged or shown. */
function connectCommand(url: string, tokenFile: string | undefined): string {
  if (tokenFile === undefined) return 'ctxd agents token create --agent <an agent of your rules>'
  return `claude mcp add --transport http contextd ${url} --header "Authorization: Bearer $(cat ${tokenFile})"`
}
