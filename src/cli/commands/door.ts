/** `contextd door`: the model door's address, for the plugin of a client. Starts the daemon if needed. */

import type { Command } from 'commander'

import { doorObstacle } from '../../clients/model-door/door-url.ts'
import { doorProviders, type DoorProvider } from '../../clients/model-door/providers.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import { ensureDaemon } from '../../servers/local/autostart.ts'
import { daemonStatus } from '../../servers/local/running-daemon.ts'
import {
  newCommand,
  printJson,
  printLine,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'

/** A client appends `/model/<key>/<provider>` to `url`. The key stays in its file: output can end up in a log. */
export interface DoorAddress {
  readonly url: string
  readonly providers: readonly DoorProvider[]
}

export function doorCommand(io: CliIo = processIo()): Command {
  return newCommand(
    'door',
    "print the model door's address; start the daemon if needed",
    'contextd door --json',
  ).action(async ({ json }: JsonOption) => {
    const door = await findDoor(io)
    if (json) return printJson(door, io)
    printLine(door.url, io)
    for (const { name, url, api } of door.providers) printLine(`  ${name}  ${url} (${api})`, io)
  })
}

async function findDoor(io: CliIo): Promise<DoorAddress> {
  const paths = resolvePaths(io.env)
  const { config } = loadConfig({ userFile: paths.configFile, isTrusted: () => false })
  // A plugin that asks at each start can follow a changed port.
  const problem = doorObstacle({ ...config.http, port: 1 })
  if (problem !== undefined) throw new ContextdError('CONFIG_INVALID', { problem })
  await ensureDaemon(io.env, io.cwd)
  const status = await daemonStatus(paths)
  if (status === undefined) throw new ContextdError('DAEMON_NOT_RUNNING')
  return { url: `http://127.0.0.1:${new URL(status.mcp).port}`, providers: doorProviders(config.model) }
}
