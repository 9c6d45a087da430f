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
  /** Opens contextd for another folder, when a caller on this machine names it. */
  readonly open: (folder: string) => Promise<Runtime>
}

/** Runs until a stop request on one of its sockets or the signal, then closes contextd. */
export async function runDaemon(runtime: Runtime, options: DaemonOptions): Promise<void> {
  let giveBack = (): void => {}
  try {
    ensurePrivateFolder(runtime.paths.run)
    giveBack = await takePidFile(runtime.paths.pidFile, () => isServing(runtime.paths.hookSocket))
    await serveUntilStopped(runtime, options)
  } finally {
    // The pid file is removed last: anyone waiting for that may then remove or move contextd's files.
    await runtime.close()
    giveBack()
  }
}

async function serveUntilStopped(runtime: Runtime, { stop, onReady, open }: DaemonOptions): Promise<void> {
  const asked = new AbortController()
  // Deferred, so that the request is answered first.
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

/** All doors or none: if one cannot be opened, the others are closed. */
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
    // Loaded here because gRPC's messages take time to load, and most processes are not the daemon.
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
    // An answer on this socket means that the daemon is running, so a daemon that cannot record must not get this
    // far.
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

/** Invalid certificates only keep out other machines; `status` reports the problem. */
function usableTls(runtime: Runtime): OpenTls | undefined {
  try {
    return tlsOf(runtime)
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    runtime.log('error', 'other machines cannot connect', { cause: error.message })
    return undefined
  }
}

/** Runs in the background. */
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

/** The daemon must stop even if the store is not writable. */
function recordStop({ audit, log }: Runtime): void {
  try {
    audit.event('daemon-stopped', { pid: process.pid })
  } catch (error) {
    log('error', 'the stop could not be recorded', { cause: String(error) })
  }
}

/**
 * Whether a daemon responds: its process id alone may have been reused. One that accepts the request but is slow
 * keeps its place, because two daemons are worse than one that does not respond.
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
