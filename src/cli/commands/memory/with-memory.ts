import type { Bank, Embedder, MemoryUser } from '../../../compose/memory-files.ts'
import { LOCAL_TENANT } from '../../../core/call.ts'
import type { JsonObject } from '../../../core/json.ts'
import { refuseInsideAgent } from '../../../platform/operator.ts'
import type { Store } from '../../../platform/storage/store.ts'
import type { CliIo } from '../../ui/output.ts'
import { withRuntime } from '../../with-runtime.ts'

/** The bank under the hands of the person at the terminal, who reaches every memory of every project. */
export interface MemoryDesk {
  readonly bank: Bank
  /** Secrets have the same tokens in every command of theirs. */
  readonly user: MemoryUser
  /** The same person, with tokens of another session. */
  userIn(session: string): MemoryUser
  readonly store: Store
  readonly tenant: string
  /** The folder they are in. */
  readonly project: string
  embedder(): Promise<Embedder | undefined>
  /** Writes down what the person did. */
  event(name: string, details: JsonObject): void
}

export async function withMemory<T>(io: CliIo, work: (desk: MemoryDesk) => T | Promise<T>): Promise<T> {
  // An agent has tools for this, and reaches with them what the rules let it reach.
  refuseInsideAgent(io.env)
  return withRuntime(io, async ({ memory, store, project, audit }) =>
    work({
      bank: await memory.bank(),
      user: memory.operatorIn(),
      userIn: memory.operatorIn,
      store,
      tenant: LOCAL_TENANT,
      project,
      embedder: memory.embedder,
      event: (name, details) => audit.event(name, details, { project }),
    }),
  )
}
