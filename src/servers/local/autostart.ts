/** Starts the daemon for a program that needs one, unless the user disabled that. */

import { projectVariables } from '../../clients/claude-code/settings-variables.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { agentVariables } from '@contextd/shared/operator'
import { resolvePaths } from '../../platform/files/paths.ts'
import { daemonStatus } from './running-daemon.ts'
import { startDaemon } from './start-daemon.ts'

/** Variables about the calling agent, which must not apply to everything the daemon will serve. */
const callerVariables: ReadonlySet<string> = new Set([
  'CONTEXTD_AGENT',
  'CONTEXTD_DEFAULT_AGENT',
  'GATEWAY_DEFAULT_AGENT',
  'ANTHROPIC_BASE_URL',
  // Clients expect the model door on the configured port, and no project may move it.
  'CONTEXTD_PORT',
  'CONTEXTD_GRPC_PORT',
  ...agentVariables,
])
/** Variables of one Claude Code session, including its tokens. */
const sessionVariables = /^CLAUDE_(?!CONFIG_DIR$)/
/** These decide where the daemon sends the requests of all projects, and which certificates it trusts. */
const routing = /^(?:(?:HTTPS?|ALL)_PROXY|NODE_\w+|SSL_CERT_(?:FILE|DIR))$/i

/** Starts the daemon and waits until it responds. Throws if `control.autostart` is off, or if it does not start. */
export async function startWhereAllowed(
  env: NodeJS.ProcessEnv,
  workspace: string,
  signal: AbortSignal,
): Promise<void> {
  const { config } = loadConfig({ userFile: resolvePaths(env).configFile, isTrusted: () => false })
  if (!config.control.autostart) {
    const hint =
      'Start it with `ctxd start`, or let programs that need it do so: `ctxd config set control.autostart true`.'
    throw new ContextdError('DAEMON_NOT_RUNNING', { hint })
  }
  await startDaemon(daemonEnvironment(env, workspace), workspace, { signal })
}

/** The caller's environment, without variables about the caller or set by its project. */
export function daemonEnvironment(env: NodeJS.ProcessEnv, workspace: string): NodeJS.ProcessEnv {
  const setByProject = projectVariables(workspace)
  const kept = Object.entries(env).filter(
    ([name]) =>
      !callerVariables.has(name) &&
      !sessionVariables.test(name) &&
      !(routing.test(name) && name in setByProject),
  )
  return Object.fromEntries(kept)
}

/** Longer than a daemon takes to start on a busy machine, shorter than a client waits for a hook. */
const startsWithinMs = 20_000

/** Starts the daemon unless one is running. */
export async function ensureDaemon(env: NodeJS.ProcessEnv, workspace: string): Promise<void> {
  if ((await daemonStatus(resolvePaths(env))) !== undefined) return
  await startWhereAllowed(env, workspace, AbortSignal.timeout(startsWithinMs))
}
