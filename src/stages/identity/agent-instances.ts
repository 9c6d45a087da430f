/**
 * Maps a client's running agents to agent names, learned from attestations: a request to a model only identifies the
 * instance.
 */

import type { Clock } from '../../core/ports.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface AgentInstances {
  /** `instance` is the client's id of a running agent, empty for the main thread. */
  record(clientSession: string, instance: string, agent: string): void
  agentOf(clientSession: string, instance: string): string | undefined
  /** Deletes entries last recorded before that time (epoch milliseconds). */
  prune(before: number): number
}

/** Max staleness of "last seen", because a client attests every call. */
const seenAtResolution = 3_600_000

export function createAgentInstances(
  { store, tenant, project }: { store: Store; tenant: string; project: string },
  clock: Clock,
): AgentInstances {
  const rows = store.rows('agent_instances', { tenant })
  return {
    record(client_session, instance, agent) {
      const known = rows.first({ client_session, instance })
      const isFresh = known !== undefined && clock() - Number(known.seen_at) < seenAtResolution
      if (isFresh && known.agent === agent) return
      rows.put({ client_session, instance, agent, project, seen_at: clock() })
    },
    agentOf(client_session, instance) {
      const agent = rows.first({ client_session, instance })?.agent
      return agent === undefined ? undefined : String(agent)
    },
    prune: (before) => rows.remove({ seen_at: { atMost: before } }),
  }
}
