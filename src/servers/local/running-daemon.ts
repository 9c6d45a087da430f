import { CodedError } from '../../core/errors/errors.ts'
import type { Paths } from '../../platform/files/paths.ts'
import { askDaemon } from './hook-socket.ts'

/** The addresses of all doors, as printed by `ctxd serve` and `ctxd server status`. */
export interface DaemonStatus extends Record<string, string | number> {
  version: string
  pid: number
  mcp: string
  control: string
  grpc: string
  store: string
  workspace: string
  sandbox: string
  rules: string
  upstream: string
  connect: string
  started_at: string
}

/** The daemon's status, or undefined if none is running. */
export async function daemonStatus({
  hookSocket,
}: Pick<Paths, 'hookSocket'>): Promise<DaemonStatus | undefined> {
  try {
    return (await askDaemon(hookSocket, { method: 'status' })) as DaemonStatus
  } catch (error) {
    if (error instanceof CodedError && error.code === 'DAEMON_NOT_RUNNING') return undefined
    throw error
  }
}
