import { LOCAL_TENANT } from '../../../core/call.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Bank } from '../../../memory/bank/bank.ts'
import type { MemoryUser } from '../../../memory/memory-access.ts'
import type { Embedder } from '../../../memory/search/embedder.ts'
import { refuseInsideAgent } from '@contextd/shared/operator'
import type { Store } from '../../../platform/storage/store.ts'
import type { CliIo } from '@contextd/shared/cli/output'
import { withRuntime } from '../../support/with-runtime.ts'

/** The memory bank for the user at the terminal, who can access every memory of every project. */
export interface MemoryDesk {
  readonly bank: Bank
  /** Secrets have the same tokens in all their commands. */
  readonly user: MemoryUser
  /** The same user, with tokens of another session. */
  userIn(session: string): MemoryUser
  readonly store: Store
  readonly tenant: string
  /** The current directory. */
  readonly project: string
  embedder(): Promise<Embedder | undefined>
  /** Records what the user did. */
  event(name: string, details: JsonObject): void
}

export async function withMemory<T>(io: CliIo, work: (desk: MemoryDesk) => T | Promise<T>): Promise<T> {
  // Agents have tools for this, limited by the rules.
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

/** With tokens of this user's session in place of secrets. */
export function scrubbedText(text: string, { archiver }: MemoryUser): string {
  return archiver.recall(archiver.archive(text))
}
