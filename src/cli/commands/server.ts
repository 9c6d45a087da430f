/** `ctxd start`, `ctxd stop`, `ctxd serve` and `ctxd server`: control the daemon. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'

import { ContextdError } from '../../core/errors/errors.ts'
import { resolvePaths } from '../../platform/files/paths.ts'
import type { DaemonStatus } from '../../servers/local/running-daemon.ts'
import { askDaemon } from '../../servers/local/hook-socket.ts'
import { readPid } from '../../servers/local/pid-file.ts'
import { daemonStatus } from '../../servers/local/running-daemon.ts'
import { startDaemon } from '../../servers/local/start-daemon.ts'
import { withControl } from '../support/control.ts'
import {
  newCommand,
  newGroup,
  printJson,
  printLine,
  processIo,
  type CliIo,
  type JsonOption,
} from '@contextd/shared/cli/output'
import { wholeNumber } from '@contextd/shared/cli/whole-number'

export function serverCommand(io: CliIo = processIo()): Command {
  return newGroup('server', 'inspect, start and stop the daemon', 'ctxd server status')
    .addCommand(
      newCommand('status', 'show what the daemon serves, and where', 'ctxd server status').action(
        (options: JsonOption) => status(options, io),
      ),
    )
    .addCommand(startCommand('ctxd server', io))
    .addCommand(stopCommand('ctxd server', io))
}

/** `parent` is the command it belongs to, for its example. */
export function startCommand(parent: string, io: CliIo): Command {
  return withPorts(
    newCommand('start', 'start the daemon in the background', `${parent} start --port 8080`),
  ).action((options: JsonOption & PortOptions) => start(options, io))
}

export function stopCommand(parent: string, io: CliIo): Command {
  return newCommand('stop', 'stop the daemon', `${parent} stop`).action((options: JsonOption) =>
    stop(options, io),
  )
}

export function serveCommand(): Command {
  return withPorts(
    newCommand(
      'serve',
      'run the daemon in the foreground: MCP over HTTP and the control socket',
      'ctxd serve --port 8080',
    ),
  ).action(async (options: JsonOption & PortOptions) => {
    const { serve } = await import('./serve.ts')
    await serve(options)
  })
}

export interface PortOptions {
  readonly port?: number
  readonly grpcPort?: number
}

const port = wholeNumber(0, 65_535)

function withPorts(command: Command): Command {
  return command
    .option('--port <number>', 'port of MCP over HTTP for this run; 0 picks a free one', port)
    .option('--grpc-port <number>', 'port of gRPC with certificates for this run', port)
}

async function start(
  { json, port: http, grpcPort: grpc }: JsonOption & PortOptions,
  io: CliIo,
): Promise<void> {
  const running = await daemonStatus(resolvePaths(io.env))
  if (running !== undefined) throw new ContextdError('DAEMON_ALREADY_RUNNING', { pid: running.pid })
  print(await startDaemon(io.env, io.cwd, { http, grpc }), json, io)
}

const stopWithinMs = 15_000

/** Bypasses the pipeline: a daemon that can no longer write audit records must still be stoppable. */
async function stop({ json }: JsonOption, io: CliIo): Promise<void> {
  if (io.env.CONTEXTD_ADDR) {
    await withControl(io, (api) => api.call('Server/Stop', {}))
    return sayStopped(json, io)
  }
  const paths = resolvePaths(io.env)
  await askDaemon(paths.hookSocket, { method: 'stop' })
  // Removing the pid file is the last step of a daemon's shutdown.
  for (const limit = Date.now() + stopWithinMs; readPid(paths.pidFile) !== undefined;) {
    if (Date.now() > limit) throw new ContextdError('TIMEOUT', { limit_ms: stopWithinMs })
    await sleep(25)
  }
  sayStopped(json, io)
}

function sayStopped(json: true | undefined, io: CliIo): void {
  if (json) printJson({ stopped: true }, io)
  else printLine('Stopped.', io)
}

/** Likewise. */
async function status({ json }: JsonOption, io: CliIo): Promise<void> {
  const answered = io.env.CONTEXTD_ADDR
    ? await withControl(io, (api) => api.call('Server/Status', {}))
    : await askDaemon(resolvePaths(io.env).hookSocket, { method: 'status' })
  print(answered as DaemonStatus, json, io)
}

function print(answer: DaemonStatus, json: true | undefined, io: CliIo): void {
  if (json) return printJson(answer, io)
  for (const [name, value] of Object.entries(answer)) printLine(`${name.padEnd(11)} ${value}`, io)
}
