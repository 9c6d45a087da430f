/** `contextd door`: where the model door is. A client's plugin asks it, so it also starts the daemon where none runs. */

import type { Command } from 'commander'

import { ContextdError } from '../../core/errors.ts'
import type { ModelApi } from '../../core/model.ts'
import type { Config } from '../../platform/config/config-schema.ts'
import { loadConfig } from '../../platform/config/load-config.ts'
import { resolvePaths } from '../../platform/paths.ts'
import type { DaemonStatus } from '../../servers/daemon.ts'
import { askDaemon } from '../../servers/hook-socket.ts'
import { newCommand, printJson, printLine, processIo, type CliIo, type JsonOption } from '../ui/output.ts'

/** A client puts `/model/<key>/<provider>` behind `url`. The key is in its file: what is printed can end up in a log. */
export interface DoorAddress {
  readonly url: string
  readonly providers: readonly DoorProvider[]
}

export interface DoorProvider {
  readonly name: string
  /** Where the door sends requests for it. */
  readonly url: string
  readonly api: ModelApi
}

export function doorCommand(io: CliIo = processIo()): Command {
  return newCommand(
    'door',
    'print where the model door is, and start the daemon where none runs',
    'contextd door --json',
  ).action(async ({ json }: JsonOption) => {
    const door = await findDoor(io)
    if (json) return printJson(door, io)
    printLine(door.url, io)
    for (const { name, url, api } of door.providers) printLine(`  ${name}  ${url} (${api})`, io)
  })
}

async function findDoor(io: CliIo): Promise<DoorAddress> {
  const { configFile } = resolvePaths(io.env)
  const { config } = loadConfig({ userFile: configFile, isTrusted: () => false })
  if (config.http.tls) {
    const problem = 'http.tls is on, and the model door needs plain HTTP on this machine'
    throw new ContextdError('CONFIG_INVALID', { problem })
  }
  const { mcp } = (await runningStatus(io)) ?? (await startedStatus(io))
  return { url: `http://127.0.0.1:${new URL(mcp).port}`, providers: providersOf(config.model) }
}

async function runningStatus({ env }: CliIo): Promise<DaemonStatus | undefined> {
  try {
    return (await askDaemon(resolvePaths(env).hookSocket, { method: 'status' })) as DaemonStatus
  } catch (error) {
    if (error instanceof ContextdError && error.code === 'DAEMON_NOT_RUNNING') return undefined
    throw error
  }
}

/** Shorter than a plugin waits for an answer. */
const startsWithinMs = 20_000

async function startedStatus(io: CliIo): Promise<DaemonStatus> {
  const { startWhereAllowed } = await import('../proxy/rest.ts')
  await startWhereAllowed(io.env, io.cwd, AbortSignal.timeout(startsWithinMs))
  const status = await runningStatus(io)
  if (status === undefined) throw new ContextdError('DAEMON_NOT_RUNNING')
  return status
}

function providersOf({ anthropic, openai, gemini, providers }: Config['model']): DoorProvider[] {
  return [
    { name: 'anthropic', url: anthropic, api: 'anthropic' },
    { name: 'openai', url: openai, api: 'openai' },
    { name: 'gemini', url: gemini, api: 'gemini' },
    ...Object.entries(providers).map(([name, { url, api }]) => ({ name, url: url.replace(/\/$/, ''), api })),
  ]
}
