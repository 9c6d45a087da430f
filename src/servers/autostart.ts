/** Starts the daemon for a program that needs one, where the user lets it. */

import { join } from 'node:path'

import { describeBypass, findBypass } from '../clients/claude-code/door-environment.ts'
import { isSetUpForDoor, settingsFiles } from '../clients/claude-code/settings-variables.ts'
import type { Runtime } from '../compose.ts'
import { ContextdError } from '../core/errors.ts'
import { loadConfig } from '../platform/config/load-config.ts'
import { homeFolder } from '../platform/home-folder.ts'
import { agentVariables } from '../platform/operator.ts'
import { resolvePaths } from '../platform/paths.ts'
import { modelDoorOf } from './model-door-of.ts'
import { daemonStatus } from './running-daemon.ts'
import { startDaemon } from './start-daemon.ts'

/** Says who calls, or that an agent does: true of this one call, and not of all that the daemon will serve. */
const ofTheCaller: ReadonlySet<string> = new Set([
  'CONTEXTD_AGENT',
  'CONTEXTD_DEFAULT_AGENT',
  'GATEWAY_DEFAULT_AGENT',
  'ANTHROPIC_BASE_URL',
  ...agentVariables,
])
/** Of one session of Claude Code, its tokens included. */
const ofTheSession = /^CLAUDE_(?!CONFIG_DIR$)/

/** Starts the daemon and waits until it answers. Throws where the person said no, or where it does not start. */
export async function startWhereAllowed(
  env: NodeJS.ProcessEnv,
  workspace: string,
  signal: AbortSignal,
): Promise<void> {
  const { config } = loadConfig({ userFile: resolvePaths(env).configFile, isTrusted: () => false })
  if (!config.control.autostart) {
    const hint =
      'Start it with `ctxd server start`, or let programs that need it do so: `ctxd config set control.autostart true`.'
    throw new ContextdError('DAEMON_NOT_RUNNING', { hint })
  }
  const kept = Object.entries(env).filter(([name]) => !ofTheCaller.has(name) && !ofTheSession.test(name))
  await startDaemon(Object.fromEntries(kept), workspace, signal)
}

/** Longer than a daemon takes to start on a busy machine, shorter than a client waits for a hook. */
const startsWithinMs = 20_000

/** As above, where none runs yet. */
export async function ensureDaemon(env: NodeJS.ProcessEnv, workspace: string): Promise<void> {
  if ((await daemonStatus(resolvePaths(env))) !== undefined) return
  await startWhereAllowed(env, workspace, AbortSignal.timeout(startsWithinMs))
}

/**
 * A client that sends its requests through the model door needs the daemon before its first one. One that was set up for
 * the door and goes past it is recorded: where a project has switched hooks off, nobody else would notice.
 */
export async function openDoorFor(
  { store, config, project, log, audit }: Pick<Runtime, 'store' | 'config' | 'project' | 'log' | 'audit'>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const bypass = findBypass(env, modelDoorOf(store, config.http))
  if (bypass !== undefined) {
    const folder = env.CLAUDE_CONFIG_DIR || join(env.HOME || homeFolder(), '.claude')
    if (!env.CLAUDECODE || !isSetUpForDoor(settingsFiles(join(folder, 'settings.json'), project))) return
    log('error', 'the client goes past the model door', { cause: describeBypass(bypass) })
    audit.event('past-the-door', { client: 'claude-code', variable: bypass.variable }, { project })
    return
  }
  try {
    await ensureDaemon(env, project)
  } catch (error) {
    log('warn', 'the model door is closed', { cause: error instanceof Error ? error.message : String(error) })
  }
}
