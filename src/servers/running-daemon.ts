import { ContextdError } from '../core/errors.ts'
import type { Paths } from '../platform/paths.ts'
import type { DaemonStatus } from './daemon.ts'
import { askDaemon } from './hook-socket.ts'

/** What the daemon says of itself, or undefined where none runs. */
export async function daemonStatus({
  hookSocket,
}: Pick<Paths, 'hookSocket'>): Promise<DaemonStatus | undefined> {
  try {
    return (await askDaemon(hookSocket, { method: 'status' })) as DaemonStatus
  } catch (error) {
    if (error instanceof ContextdError && error.code === 'DAEMON_NOT_RUNNING') return undefined
    throw error
  }
}
