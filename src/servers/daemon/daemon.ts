import { once } from 'node:events'

import type { Runtime } from '../../compose.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import type { OpenTls } from '../../platform/tls/open-tls.ts'
import { VERSION } from '@contextd/shared/version'
import { endCallerSessions } from '../sessions/caller-sessions.ts'
import { announceDaemon } from '../control/operations/server.ts'
import { callMethod } from '../control/socket-calls.ts'
import { daemonStatusOf } from './daemon-status.ts'
import type { DaemonStatus } from '../local/running-daemon.ts'
import { ensureFirstToken } from './first-token.ts'
import { hookMethod } from '../hooks/hook-calls.ts'
import { converse, NoAnswer, serveHookSocket } from '../local/hook-socket.ts'
import { createMetrics } from '../metrics/http-metrics.ts'
import { serveHttp } from '../http/server.ts'
import { tlsOf } from '../http/tls.ts'
import { takePidFile } from '../local/pid-file.ts'
import { startWebhooks } from '../webhooks/open-webhooks.ts'
import { createWorkspaces } from '../sessions/workspaces.ts'

export interface DaemonOptions {
  readonly stop: AbortSignal
  readonly onReady: (status: DaemonStatus) => void
  /** contextd for another folder, when a caller on this machine is there. */
  readonly open: (folder: string) => Promise<Runtime>
}

/** Runs until it is told to stop, over one of its sockets or by the signal; then contextd is closed. */
export async function runDaemon(runtime: Runtime, options: DaemonOptions): Promise<void> {
  let giveBack = (): void => {}
  try {
    ensurePrivateFolder(runtime.paths.run)
    giveBack = await takePidFile(runtime.paths.pidFile, () => isServing(runtime.paths.hookSocket))
    await serveUntilStopped(runtime, options)
  } finally {
    // The place is the last thing: who waits for it may remove or move what contextd wrote to until now.
    await runtime.close()
    giveBack()
  }
}

async function serveUntilStopped(runtime: Runtime, { stop, onReady, open }: DaemonOptions): Promise<void> {
  const asked = new AbortController()
  // Answered first, then done: whoever asked learns that it was heard.
  const soon = (): void => void setImmediate(() => asked.abort())
  let isRecorded = false
  const record = (): void => {
    runtime.audit.event('daemon-started', { version: VERSION, pid: process.pid })
    isRecorded = true
  }
  try {
    const doors = await openDoors(runtime, { open, stop: soon, record })
    try {
      onReady(doors.status())
      void runtime.startTracing()
      await aborted(AbortSignal.any([stop, asked.signal]))
    } finally {
      await doors.close()
    }
  } finally {
    if (isRecorded) recordStop(runtime)
  }
}

interface Doors {
  status(): DaemonStatus
  close(): Promise<void>
}

/** All of them, or none: a door that cannot be opened closes those that were. */
async function openDoors(
  runtime: Runtime,
  { open, stop, record }: Pick<DaemonOptions, 'open'> & { stop: () => void; record: () => void },
): Promise<Doors> {
  const closing: (() => unknown)[] = []
  const close = async (): Promise<void> => {
    for (const one of closing.toReversed()) await one()
  }
  try {
    ensureFirstToken(runtime)
    closing.push(() => endCallerSessions(runtime))
    const workspaces = createWorkspaces({ own: runtime, open })
    closing.push(() => workspaces.close())
    const metrics = createMetrics()
    const http = await serveHttp(runtime, { metrics, workspaces })
    closing.push(() => http.close())
    // Here because most who run contextd are no daemon, and the messages of gRPC take time to load.
    const { serveControl } = await import('../control/grpc-server.ts')
    const control = await serveControl({
      runtime,
      workspaces,
      tls: usableTls(runtime),
      onLimitHit: (limit) => metrics.count('contextd_connections_dropped_total', { door: 'grpc', limit }),
    })
    closing.push(() => control.close())
    const state = {
      startedAt: new Date().toISOString(),
      sandbox: await runtime.sandbox(),
      mcp: http.url,
      grpc: control.tcp,
    }
    const status = (): DaemonStatus => daemonStatusOf(runtime, state)
    closing.push(announceDaemon(runtime.paths, { status, stop }))
    // Who asks on this socket takes an answer for a daemon that runs: one that can record nothing must not give it.
    record()
    const socket = await serveHookSocket(runtime.paths.hookSocket, {
      call: callMethod(workspaces, runtime.config.limits.message_bytes),
      hook: hookMethod(runtime),
      status,
      stop() {
        stop()
        return { stopping: true }
      },
    })
    closing.push(() => socket.close())
    const onAttempt = (result: string): void => metrics.count('contextd_webhook_attempts_total', { result })
    const sending = startWebhooks(runtime, { onAttempt })
    closing.push(() => sending.close())
    const watching = watchRepositories(runtime)
    closing.push(async () => (await watching)?.close())
    return { status, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Certificates that are not whole keep other machines out, and nobody on this one: `status` says what is wrong. */
function usableTls(runtime: Runtime): OpenTls | undefined {
  try {
    return tlsOf(runtime)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    runtime.log('error', 'other machines are kept out', { cause: error.message })
    return undefined
  }
}

/** Nobody waits for it. */
async function watchRepositories({
  config,
  memory,
  log,
}: Runtime): Promise<{ close(): Promise<void> } | undefined> {
  if (!config.index.watch) return undefined
  try {
    return await memory.watchRepositories()
  } catch (error) {
    log('warn', 'indexed repositories are not watched', { cause: String(error) })
    return undefined
  }
}

/** A store that cannot be written must not keep the daemon from stopping. */
function recordStop({ audit, log }: Runtime): void {
  try {
    audit.event('daemon-stopped', { pid: process.pid })
  } catch (error) {
    log('error', 'the stop could not be recorded', { cause: String(error) })
  }
}

/**
 * Whether somebody is there to answer: a process id alone may have been given to another program since. One that takes
 * the question and is slow to answer keeps its place: two daemons at once are worse than none that answers.
 */
async function isServing(socket: string): Promise<boolean> {
  const late = AbortSignal.timeout(2000)
  try {
    await converse(socket, { method: 'status' }, { signal: late })
    return true
  } catch (error) {
    return late.aborted && error instanceof NoAnswer && error.wasAsked
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
