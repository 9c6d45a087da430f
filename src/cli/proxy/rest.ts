/** What `contextd-proxy` needs now and then, and does not load before. */

import { ContextdError } from '../../core/errors.ts'
import type { JsonObject } from '../../core/json.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { agentVariables } from '../../platform/operator.ts'
import { resolvePaths } from '../../platform/paths.ts'
import { openRemote, remotePlace, type RemoteOptions } from '../../servers/control/remote.ts'
import { startDaemon } from '../start-daemon.ts'

/** A call of the contextd that `CONTEXTD_ADDR` names. */
export async function callElsewhere(
  env: NodeJS.ProcessEnv,
  rpc: string,
  request: JsonObject,
  options: RemoteOptions,
): Promise<JsonObject> {
  const remote = await openRemote(remotePlace(env))
  try {
    return await remote.call(rpc, request, options)
  } finally {
    remote.close()
  }
}

/** Says who calls, or that an agent does: true of this one call, and not of all that the daemon will serve. */
const ofTheCaller: ReadonlySet<string> = new Set([
  'CONTEXTD_AGENT',
  'CONTEXTD_DEFAULT_AGENT',
  'GATEWAY_DEFAULT_AGENT',
  ...agentVariables,
])

/** Starts the daemon and waits until it answers. Throws where the person said no, or where it does not start. */
export async function startWhereAllowed(
  env: NodeJS.ProcessEnv,
  workspace: string,
  signal: AbortSignal,
): Promise<void> {
  const { config } = loadConfig({ userFile: resolvePaths(env).configFile, isTrusted: () => false })
  if (!config.control.autostart) {
    const hint =
      'Start it with `ctxd server start`, or let this program do it: `ctxd config set control.autostart true`.'
    throw new ContextdError('DAEMON_NOT_RUNNING', { hint })
  }
  const kept = Object.entries(env).filter(([name]) => !ofTheCaller.has(name))
  await startDaemon(Object.fromEntries(kept), workspace, signal)
}
