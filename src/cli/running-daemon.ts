import { ContextdError } from '../core/errors.ts'
import type { Paths } from '../platform/paths.ts'
import type { DaemonStatus } from '../servers/daemon.ts'
import { askDaemon } from '../servers/hook-socket.ts'

/** Long enough for a daemon that has work to do; one that was stopped in its tracks is not waited for. */
const patienceMs = 2000

/** What the daemon says of itself, or undefined where none runs. */
export async function daemonStatus({
  hookSocket,
}: Pick<Paths, 'hookSocket'>): Promise<DaemonStatus | undefined> {
  try {
    return (await askDaemon(hookSocket, { method: 'status' }, patienceMs)) as DaemonStatus
  } catch (error) {
    if (error instanceof ContextdError && error.code === 'DAEMON_NOT_RUNNING') return undefined
    throw error
  }
}
