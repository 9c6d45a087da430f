/** Starts the daemon in the background. */

import { createReadStream, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

import { ContextdError } from '../../core/errors/errors.ts'
import { isJsonObject } from '@contextd/shared/json/value'
import type { Ports } from '../../platform/config/ports.ts'
import { isDiskFull } from '../../platform/files/disk-space.ts'
import { resolvePaths, type Paths } from '../../platform/files/paths.ts'
import { ensurePrivateFolder } from '@contextd/shared/files/private-folder'
import { systemError } from '@contextd/shared/files/system-error'
import { isAlive, startDetached } from '@contextd/shared/process'
import { readError } from './hook-socket.ts'
import { daemonStatus, type DaemonStatus } from './running-daemon.ts'

/**
 * Waits until it responds, or until one started by another process does. Throws the error that kept it from
 * starting.
 */
export async function startDaemon(
  env: NodeJS.ProcessEnv,
  cwd: string,
  { http, grpc, signal }: Ports & { readonly signal?: AbortSignal } = {},
): Promise<DaemonStatus> {
  const paths = resolvePaths(env)
  ensurePrivateFolder(paths.state)
  const logFile = join(paths.state, 'contextd.log')
  const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0
  const program = fileURLToPath(new URL('../bin/contextd.js', import.meta.url))
  const args = [
    ...(http === undefined ? [] : ['--port', String(http)]),
    ...(grpc === undefined ? [] : ['--grpc-port', String(grpc)]),
  ]
  const pid = start([program, 'serve', '--json', ...args], { env, cwd, logFile })
  for (;;) {
    if (signal?.aborted === true) throw new ContextdError('CANCELLED')
    // Checked before asking: if this one ended because another was faster, the other is then found.
    const isStarting = pid !== undefined && isAlive(pid)
    const status = await daemonStatus(paths)
    if (status !== undefined) return status
    if (!isStarting) break
    await sleep(25)
  }
  throw lastError(await text(createReadStream(logFile, { start: logged }))) ?? endedSilently(paths, logFile)
}

/** A full disk may also have prevented its error message. */
function endedSilently({ state }: Paths, logFile: string): ContextdError {
  return isDiskFull(state)
    ? new ContextdError('STORE_UNAVAILABLE', { cause: `${state}: the disk is full` })
    : new ContextdError('DAEMON_NOT_RUNNING', {
        hint: `It ended immediately; see the last lines of ${logFile}.`,
      })
}

/** The error that the daemon wrote before it ended. */
function lastError(log: string): ContextdError | undefined {
  for (const line of log.split('\n').toReversed()) {
    try {
      const entry: unknown = JSON.parse(line)
      if (isJsonObject(entry) && isJsonObject(entry.error)) return readError(entry.error)
    } catch {
      // Not every line is ours: Node itself may have written the last one.
    }
  }
}

function start(args: readonly string[], options: Parameters<typeof startDetached>[2]): number | undefined {
  try {
    return startDetached(process.execPath, args, options)
  } catch (error) {
    throw systemError(error, options.logFile)
  }
}
