/** All RPCs: calls of agents' tools, and operations that control contextd. */

import { agentRpcs } from './agent-rpcs.ts'
import { operationRpcs } from './control-tools.ts'
import type { Rpc } from './rpc.ts'

const all: readonly Rpc[] = [...agentRpcs, ...operationRpcs]
const byName: ReadonlyMap<string, Rpc> = new Map(all.map((rpc) => [rpc.name, rpc]))
if (byName.size < all.length) throw new Error('two RPCs have the same name')

/** Undefined if no RPC has this name. */
export function findRpc(name: string): Rpc | undefined {
  return byName.get(name)
}

export function allRpcs(): readonly Rpc[] {
  return all
}
