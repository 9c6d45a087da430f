import type { Client } from '../core/call.ts'
import type { Clock } from '../core/ports.ts'
import type { SqlRow } from './storage/sqlite.ts'
import type { Store } from './storage/store.ts'

/** Owners of refs, budgets, secret tokens and attestations. */
export interface Sessions {
  begin(client: Client): string
  /**
   * The session for a client's own session id: the same one in every project and process, even after the client
   * restarted. If the client session has no session yet, `current` becomes it.
   */
  join(client: Client, clientSession: string, current?: string): string
  /** The session's project folder; empty if unknown. */
  projectOf(session: string): string
  end(session: string): void
  /** Removes the sessions that began before that time (epoch milliseconds). */
  prune(before: number): number
}

/** `project` is empty for callers that do not know it: the first one that does assigns it to the sessions it joins. */
export function createSessions(
  store: Store,
  { tenant, project }: { readonly tenant: string; readonly project: string },
  clock: Clock,
  newId: () => string,
): Sessions {
  const rows = store.rows('sessions', { tenant })
  const begin = ({ name, version, door }: Client, client_session: string | null): string => {
    const id = newId()
    rows.insert({
      id,
      project,
      session: id,
      door,
      client: `${name}/${version}`,
      client_session,
      started_at: clock(),
      ended_at: null,
    })
    return id
  }
  const isCurrent = ({ ended_at, project: known }: SqlRow): boolean =>
    ended_at === null && (known !== '' || project === '')
  return {
    begin: (client) => begin(client, null),
    join(client, client_session, current) {
      const found = rows.first({ client_session })
      if (found !== undefined && isCurrent(found)) return String(found.id)
      return store.transaction(() => {
        const known = rows.first({ client_session })
        if (known === undefined) {
          if (current === undefined) return begin(client, client_session)
          rows.update({ client_session }, { id: current })
          return current
        }
        const id = String(known.id)
        if (!isCurrent(known)) {
          rows.remove({ id })
          rows.insert({ ...known, project: String(known.project) || project, ended_at: null })
        }
        return id
      })
    },
    projectOf: (session) => String(rows.first({ id: session })?.project ?? ''),
    end(session) {
      rows.update({ ended_at: clock() }, { id: session, ended_at: null })
    },
    prune: (before) => rows.remove({ started_at: { atMost: before } }),
  }
}
