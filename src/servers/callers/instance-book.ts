import { agentName } from '../../core/agent-name.ts'
import { LOCAL_TENANT } from '../../core/call.ts'
import type { Store } from '../../platform/storage/store.ts'
import { createAgentInstances, type AgentInstances } from '../../stages/identity/agent-instances.ts'

/** Records the agent of each running instance, for requests that name only the instance. */
export interface InstanceBook {
  /** `instance` is empty for the main thread. */
  note(clientSession: string, instance: string, agent: string): 'noted' | 'conflict'
}

/** A subagent of unknown type, which no rule and no private context applies to. */
const unknownAgent = agentName({ id: '-', type: '' })
const maxKnown = 10_000

/**
 * An instance never changes its agent; conflicting attestations make it unknown. Only the main thread of a resumed
 * session may become another agent.
 */
export function createInstanceBook(store: Store, project: string): InstanceBook {
  let opened: AgentInstances | undefined
  const recorded = new Map<string, string>()
  return {
    note(clientSession, instance, agent) {
      // Opened on first use: most clients attest nothing.
      opened ??= createAgentInstances({ store, tenant: LOCAL_TENANT, project }, Date.now)
      const instances = opened
      const name = JSON.stringify([clientSession, instance])
      const before = instance === '' ? undefined : instances.agentOf(clientSession, instance)
      const known = recorded.get(name) ?? before
      const isConflict = known !== undefined && known !== agent
      if (recorded.size >= maxKnown) recorded.clear()
      recorded.set(name, isConflict ? unknownAgent : agent)
      instances.record(clientSession, instance, isConflict ? unknownAgent : agent)
      return isConflict ? 'conflict' : 'noted'
    },
  }
}
