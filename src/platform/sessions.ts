import type { Client } from '../core/call.ts'
import type { Clock } from '../core/ports.ts'
import type { Store } from './storage/store.ts'

/** Refs, budgets, secret tokens and attestations hang on a session. */
export interface Sessions {
  begin(client: Client): string
  end(session: string): void
  /** Removes the sessions that began before that time (epoch milliseconds). */
  prune(before: number): number
}

export function createSessions(
  store: Store,
  owner: { readonly tenant: string; readonly project: string },
  clock: Clock,
  newId: () => string,
): Sessions {
  const rows = store.rows('sessions', owner)
  return {
    begin(client) {
      const id = newId()
      const named = `${client.name}/${client.version}`
      rows.insert({ id, session: id, door: client.door, client: named, started_at: clock() })
      return id
    },
    end(session) {
      rows.update({ ended_at: clock() }, { id: session, ended_at: null })
    },
    prune: (before) => rows.remove({ started_at: { atMost: before } }),
  }
}
