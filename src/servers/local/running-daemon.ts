import { CodedError } from '../../core/errors/errors.ts'
import type { Paths } from '../../platform/files/paths.ts'
import { askDaemon } from './hook-socket.ts'

/** Where everything answers, as `contextd serve` prints it and `ctxd server status` asks for it. */
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

/** What the daemon says of itself, or undefined where none runs. */
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
