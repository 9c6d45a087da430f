/** What a daemon says of itself. */

import type { Runtime } from '../../compose.ts'
import { tlsConfigProblem } from '../../platform/tls/tls-config-problem.ts'
import { VERSION } from '@contextd/shared/version'
import type { SandboxState } from '../../sandbox/sandbox.ts'
import type { RuleBookStatus } from '../../stages/policy/rule-book.ts'
import { ensureFirstToken } from './first-token.ts'
import type { DaemonStatus } from '../local/running-daemon.ts'

export interface DaemonState {
  readonly startedAt: string
  readonly sandbox: SandboxState
  /** Where MCP answers. */
  readonly mcp: string
  /** Where gRPC answers other machines; absent where nobody could be let in. */
  readonly grpc: string | undefined
}

/** Asked anew each time: rules and servers change, and rules may leave the first token without its agent. */
export function daemonStatusOf(
  runtime: Runtime,
  { startedAt, sandbox, mcp, grpc }: DaemonState,
): DaemonStatus {
  return {
    version: VERSION,
    pid: process.pid,
    mcp,
    control: runtime.paths.controlSocket,
    grpc: describeGrpc(grpc, tlsConfigProblem(runtime.paths.tls, Date.now())?.message),
    store: runtime.store.path,
    workspace: runtime.project,
    sandbox: describeSandbox(sandbox),
    rules: describeRules(runtime.rules.status()),
    upstream: describeUpstream(runtime.upstream),
    connect: connectCommand(mcp, ensureFirstToken(runtime)),
    started_at: startedAt,
  }
}

/** Asked of the folder anew too: a clock that was wrong may be right by now. */
function describeGrpc(address: string | undefined, problem: string | undefined): string {
  if (problem === undefined) return address ?? 'closed to other machines until `ctxd tls init` and a restart'
  return address === undefined ? `closed to other machines: ${problem}` : `${address}; ${problem}`
}

function describeSandbox(state: SandboxState): string {
  if (!state.available) return `not available: ${state.cause}; ${state.fix}`
  if (state.driver === 'none') return 'OFF: commands of agents run with all your rights'
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
  const each = health().map(({ server, state, connections, why, since, last_line: said }) =>
    state === 'failing'
      ? `${server} (failing since ${since}: ${why}${said === undefined ? '' : `; it last said: ${said}`})`
      : `${server} (${state === 'connected' ? `${connections} connected` : state})`,
  )
  const problem = lastError === undefined ? [] : [`last change refused: ${lastError.problem}`]
  return [each.join(', ') || 'none', ...problem, ...warnings].join('; ')
}

/** The token stays in its file: what is printed can be copied, logged and shown. */
function connectCommand(url: string, tokenFile: string | undefined): string {
  if (tokenFile === undefined) return 'ctxd agents token create --agent <an agent of your rules>'
  return `claude mcp add --transport http contextd ${url} --header "Authorization: Bearer $(cat ${tokenFile})"`
}
