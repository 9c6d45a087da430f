/** Whether Claude Code's requests from this folder go through the model door, and whether it is reachable. */

import {
  describeBypass,
  findBypass,
  type Bypass,
  type Environment,
} from '../../../clients/claude-code/door-environment.ts'
import {
  isSetUpForDoor,
  readSettingsObject,
  settingsFiles,
  variablesOf,
} from '../../../clients/claude-code/settings-variables.ts'
import type { Config } from '../../../platform/config/config-schema.ts'
import { loadConfig } from '../../../platform/config/load-config.ts'
import { resolvePaths } from '../../../platform/files/paths.ts'
import { localDoor } from '../../../servers/local/local-door.ts'
import { daemonStatus } from '../../../servers/local/running-daemon.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { withRecords } from '../../support/with-runtime.ts'
import { userSettingsFile } from '../init/plan.ts'
import type { CheckResult } from './checkup.ts'

interface Layer {
  /** A settings file, or the environment. */
  readonly name: string
  readonly variables: Environment
}

export async function checkDoor(io: CliIo): Promise<CheckResult> {
  const files = settingsFiles(userSettingsFile(io.env), io.cwd)
  const layers: Layer[] = [
    { name: 'the environment', variables: io.env },
    ...files.map((name) => ({ name, variables: variablesOf(readSettingsObject(name)) })),
  ]
  if (!isSetUpForDoor(files)) {
    return { status: 'ok', message: 'off for Claude Code here; `ctxd init` turns it on' }
  }
  const unguarded = files.find((file) => readSettingsObject(file)?.disableAllHooks === true)
  if (unguarded !== undefined) {
    return {
      status: 'fail',
      message: `${unguarded} disables all hooks, so nothing stops a client from bypassing the door`,
      fix: `remove disableAllHooks from ${unguarded}`,
    }
  }
  const { config } = loadConfig({ userFile: resolvePaths(io.env).configFile, isTrusted: () => false })
  const env = Object.assign({}, ...layers.map(({ variables }) => variables)) as Environment
  const bypass = await withRecords(io, ({ store }) => findBypass(env, localDoor(store, config.http)))
  return bypass === undefined ? checkDaemonOf(config, io) : describe(bypass, layers)
}

const scopes = { user: 'ctxd init --user', project: 'ctxd init' }

function describe(bypass: Bypass, layers: readonly Layer[]): CheckResult {
  const { kind, variable } = bypass
  const set = layers.findLast(({ variables }) => variables[variable])
  const [, userLayer] = layers
  const init = set === userLayer ? scopes.user : scopes.project
  const where = set === undefined ? '' : ` (set in ${set.name})`
  const fix = {
    'no-url': `run \`${init}\``,
    'other-url': `remove ${variable} from ${set?.name}, or route it through the door with \`${init}\``,
    port: `run \`${init}\`, and \`ctxd stop\` if an old daemon is still running`,
    key: `run \`${init}\`; it creates a new key`,
    provider: `remove ${variable} from ${set?.name}, or run \`${init} --no-door\``,
    proxy: `run \`${init}\` with ${variable} set, or add 127.0.0.1 to NO_PROXY`,
  }[kind]
  return { status: 'fail', message: `${describeBypass(bypass)}${where}`, fix }
}

const answersWithinMs = 2000

async function checkDaemonOf({ control, http }: Config, { env }: CliIo): Promise<CheckResult> {
  const running = await daemonStatus(resolvePaths(env))
  if (running === undefined) {
    return control.autostart
      ? { status: 'ok', message: 'on for Claude Code here; the client starts the daemon' }
      : {
          status: 'fail',
          message: 'the daemon is not running, so Claude Code cannot reach its model',
          fix: '`ctxd start`, or `ctxd config set control.autostart true`',
        }
  }
  if (await isAnswering(http.port))
    return { status: 'ok', message: `on for Claude Code here, port ${http.port}` }
  return {
    status: 'fail',
    message: `nothing listens on 127.0.0.1:${http.port}, which the client's settings use; the daemon is at ${running.mcp}`,
    fix: '`ctxd stop`, then `ctxd start`',
  }
}

/** Any response will do. */
async function isAnswering(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(answersWithinMs) })
    return true
  } catch {
    return false
  }
}
