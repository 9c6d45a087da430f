/** The daemon itself. Whoever runs as one says so here; in any other process there is none to ask. */

import { ContextdError } from '../../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Paths } from '../../../platform/files/paths.ts'
import type { Operation } from './operation.ts'

export interface RunningDaemon {
  status(): JsonObject
  /** Answers at once; it ends a moment later. */
  stop(): void
}

/** By its socket: all the runtimes that one daemon opens for folders share it. */
const running = new Map<string, RunningDaemon>()

/** Answers how to take it back. */
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
