/** `ctxd server`: the daemon, from outside. */

import { fileURLToPath } from 'node:url'
import { join } from 'node:path'
import { Command } from 'commander'

import { ContextdError } from '../../core/errors.ts'
import { resolvePaths, type Paths } from '../../platform/paths.ts'
import { ensurePrivateFolder } from '../../platform/private-folder.ts'
import { isAlive, startDetached } from '../../platform/process.ts'
import type { DaemonStatus } from '../../servers/daemon.ts'
import { askDaemon } from '../../servers/hook-socket.ts'
import { readPid } from '../../servers/pid-file.ts'
import { newCommand, printJson, printLine, processIo, type CliIo } from '../ui/output.ts'

interface Json {
  readonly json?: true
}

export function serverCommand(io: CliIo = processIo()): Command {
  return new Command('server')
    .description('start, stop and look at the daemon')
    .addCommand(
      newCommand('start', 'start the daemon in the background', 'ctxd server start').action((options: Json) =>
        start(options, io),
      ),
    )
    .addCommand(
      newCommand('stop', 'stop the daemon', 'ctxd server stop').action((options: Json) => stop(options, io)),
    )
    .addCommand(
      newCommand('status', 'what the daemon serves, and where', 'ctxd server status').action(
        (options: Json) => status(options, io),
      ),
    )
}

async function start({ json }: Json, io: CliIo): Promise<void> {
  const paths = resolvePaths(io.env)
  const running = await ask(paths)
  if (running !== undefined) throw new ContextdError('DAEMON_ALREADY_RUNNING', { pid: running.pid })
  ensurePrivateFolder(paths.state)
  const logFile = join(paths.state, 'contextd.log')
  const program = fileURLToPath(new URL('../bin/contextd.js', import.meta.url))
  const pid = startDetached(process.execPath, [program, 'serve', '--json'], {
    env: io.env,
    cwd: io.cwd,
    logFile,
  })
  while (pid !== undefined && isAlive(pid)) {
    const answer = await ask(paths)
    if (answer !== undefined) return print(answer, json, io)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new ContextdError('DAEMON_NOT_RUNNING', {
    hint: `It ended at once; see the last lines of ${logFile}.`,
  })
}

async function stop({ json }: Json, io: CliIo): Promise<void> {
  const paths = resolvePaths(io.env)
  const pid = readPid(paths.pidFile)
  await askDaemon(paths.hookSocket, { method: 'stop' }, 5000)
  while (pid !== undefined && isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 25))
  if (json) printJson({ stopped: true }, io)
  else printLine('Stopped.', io)
}

async function status({ json }: Json, io: CliIo): Promise<void> {
  print(
    (await askDaemon(resolvePaths(io.env).hookSocket, { method: 'status' }, 5000)) as DaemonStatus,
    json,
    io,
  )
}

/** The daemon's answer, or undefined where none runs. */
async function ask(paths: Paths): Promise<DaemonStatus | undefined> {
  try {
    return (await askDaemon(paths.hookSocket, { method: 'status' }, 1000)) as DaemonStatus
  } catch (error) {
    if (error instanceof ContextdError && error.code === 'DAEMON_NOT_RUNNING') return undefined
    throw error
  }
}

function print(answer: DaemonStatus, json: true | undefined, io: CliIo): void {
  if (json) return printJson(answer, io)
  for (const [name, value] of Object.entries(answer)) printLine(`${name.padEnd(11)} ${value}`, io)
}
