/** The daemon itself. It registers here when it starts; in any other process none is registered. */

import { ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Paths } from '../../../platform/files/paths.ts'
import type { Operation } from './operation.ts'

export interface RunningDaemon {
  status(): JsonObject
  /** Returns immediately; the daemon stops shortly after. */
  stop(): void
}

/** By socket, because the runtimes of all folders share one daemon. */
const running = new Map<string, RunningDaemon>()

/** Returns a function that unregisters the daemon. */
export function announceDaemon({ hookSocket }: Paths, daemon: RunningDaemon): () => void {
  running.set(hookSocket, daemon)
  return () => void running.delete(hookSocket)
}

export const serverOperations: readonly Operation[] = [
  {
    rpc: 'Server/Status',
    run: async (_request, { runtime }) => theDaemon(runtime.paths).status(),
  },
  {
    rpc: 'Server/Stop',
    async run(_request, { runtime }) {
      theDaemon(runtime.paths).stop()
      return { stopping: true }
    },
  },
]

function theDaemon({ hookSocket }: Paths): RunningDaemon {
  const daemon = running.get(hookSocket)
  if (daemon === undefined) throw new ContextdError('DAEMON_NOT_RUNNING')
  return daemon
}
