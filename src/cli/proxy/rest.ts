/** What `contextd-proxy` needs now and then, and does not load before. */

import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

import { ContextdError } from '../../core/errors.ts'
import { isJsonObject, type JsonObject } from '../../core/json.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { resolvePaths } from '../../platform/paths.ts'
import { ensurePrivateFolder } from '../../platform/private-folder.ts'
import { isAlive, startDetached } from '../../platform/process.ts'
import { openRemote, remotePlace, type RemoteOptions } from '../../servers/control/remote.ts'
import { askDaemon, readError } from '../../servers/hook-socket.ts'

/** A call of the contextd that `CONTEXTD_ADDR` names. */
export async function callElsewhere(
  env: NodeJS.ProcessEnv,
  rpc: string,
  request: JsonObject,
  options: RemoteOptions,
): Promise<JsonObject> {
  const place = remotePlace(env)
  if (place === undefined) throw new ContextdError('DAEMON_NOT_RUNNING')
  const remote = await openRemote(place)
  try {
    return await remote.call(rpc, request, options)
  } finally {
    remote.close()
  }
}

/** Says who calls, or that an agent does: true of this one call, and not of all that the daemon will serve. */
const ofTheCaller =
  /^(?:CONTEXTD_(?:DEFAULT_)?AGENT|GATEWAY_DEFAULT_AGENT|CLAUDECODE|CLAUDE_CODE_\w+|AI_AGENT|OPENCODE)$/

/** Starts the daemon and waits until it answers. Throws where the person said no, or where it does not start. */
export async function startWhereAllowed(
  env: NodeJS.ProcessEnv,
  workspace: string,
  signal: AbortSignal,
): Promise<void> {
  const paths = resolvePaths(env)
  const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
  if (!config.control.autostart) {
    const hint =
      'Start it with `ctxd server start`, or let this program do it: `ctxd config set control.autostart true`.'
    throw new ContextdError('DAEMON_NOT_RUNNING', { hint })
  }
  ensurePrivateFolder(paths.state)
  const logFile = join(paths.state, 'contextd.log')
  const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  const program = fileURLToPath(new URL('../bin/contextd.js', import.meta.url))
  const kept = Object.entries(env).filter(([name]) => !ofTheCaller.test(name))
  const pid = startDetached(process.execPath, [program, 'serve', '--json'], {
    env: Object.fromEntries(kept),
    cwd: workspace,
    logFile,
  })
  for (;;) {
    if (signal.aborted) throw new ContextdError('CANCELLED')
    // Looked at before the daemon is asked: one that somebody else started a moment before counts too.
    const isStarting = pid !== undefined && isAlive(pid)
    if (await answers(paths.hookSocket)) return
    if (!isStarting) throw await whyNot(logFile, logged)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function answers(socket: string): Promise<boolean> {
  try {
    await askDaemon(socket, { method: 'status' }, 5000)
    return true
  } catch {
    return false
  }
}

/** What the daemon said on its way out. */
async function whyNot(logFile: string, from: number): Promise<ContextdError> {
  const log = await text(createReadStream(logFile, { start: from }))
  for (const line of log.split('\n').toReversed()) {
    try {
      const said: unknown = JSON.parse(line)
      if (isJsonObject(said) && isJsonObject(said.error)) return readError(said.error)
    } catch {
      // Not every line is ours: Node itself may have the last word.
    }
  }
  const hint = `It could not be started; see the last lines of ${logFile}.`
  return new ContextdError('DAEMON_NOT_RUNNING', { hint })
}
