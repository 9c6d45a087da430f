import type { Client } from '../core/call.ts'
import type { Clock } from '../core/ports.ts'
import type { Store } from './storage/store.ts'

/** Refs, budgets, secret tokens and attestations hang on a session. */
export interface Sessions {
  begin(client: Client): string
  /**
   * The session that goes with one of the client's own: the same each time, also for a client that was started again.
   * `current` becomes it where there is none yet.
   */
  join(client: Client, clientSession: string, current?: string): string
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
  const begin = ({ name, version, door }: Client, client_session: string | null): string => {
    const id = newId()
    rows.insert({
      id,
      session: id,
      door,
      client: `${name}/${version}`,
      client_session,
      started_at: clock(),
      ended_at: null,
    })
    return id
  }
  return {
    begin: (client) => begin(client, null),
    join: (client, client_session, current) =>
      store.transaction(() => {
        const known = rows.first({ client_session })
        if (known === undefined) {
          if (current === undefined) return begin(client, client_session)
          rows.update({ client_session }, { id: current })
          return current
        }
        const id = String(known.id)
        if (known.ended_at !== null) rows.update({ ended_at: null }, { id })
        return id
      }),
    end(session) {
      rows.update({ ended_at: clock() }, { id: session, ended_at: null })
    },
    prune: (before) => rows.remove({ started_at: { atMost: before } }),
  }
}
