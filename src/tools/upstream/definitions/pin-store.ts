/** The definitions that tools had when they were first seen, or last approved. */

import { mapStrings, type JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../../core/ports.ts'
import type { SqlRow } from '../../../platform/storage/sqlite.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { asPinned, type PinnedDefinition, type PinOwner } from './pinned-definition.ts'

export interface Pin {
  readonly sha256: string
  readonly definition: PinnedDefinition
  /** Which program or address had this tool: one of the same name that is another has no claim to it. */
  readonly identity: string
  /** Epoch milliseconds. */
  readonly pinnedAt: number
}

export interface PinStore {
  /** By the name of the tool. */
  list(owner: PinOwner): ReadonlyMap<string, Pin>
  put(owner: PinOwner, pin: Omit<Pin, 'pinnedAt'>): void
  remove(owner: PinOwner, tool: string): void
  /** All or nothing, and alone: other processes wait. */
  transaction<T>(work: () => T): T
  /** Another number whenever another process may have changed something. */
  foreignWrites(): number
}

/** `clean`: takes secrets out of what is kept. */
export function createPinStore(
  store: Store,
  tenant: string,
  clock: Clock,
  clean: (text: string) => string = (text) => text,
): PinStore {
  const rowsOf = (project: string) => store.rows('pins', { tenant, project })
  return {
    list: ({ project, server }) => new Map(rowsOf(project).all({ server }).map(toPin)),
    put({ project, server }, { sha256, definition, identity }) {
      rowsOf(project).put({
        server,
        tool: definition.name,
        sha256,
        definition: JSON.stringify({ identity, definition: cleaned(definition, clean) }),
        pinned_at: clock(),
      })
    },
    remove({ project, server }, tool) {
      rowsOf(project).remove({ server, tool })
    },
    transaction: (work) => store.transaction(work),
    foreignWrites: () => store.foreignWrites(),
  }
}

/** Its name stays as it is: it says which tool is meant. */
function cleaned({ name, ...definition }: PinnedDefinition, clean: (text: string) => string): JsonObject {
  return { name, ...(mapStrings(definition, clean) as JsonObject) }
}

function toPin({ tool, sha256, definition, pinned_at }: SqlRow): [string, Pin] {
  const kept = JSON.parse(String(definition)) as { identity: string; definition: JsonObject }
  return [
    String(tool),
    {
      sha256: String(sha256),
      identity: kept.identity,
      definition: asPinned(kept.definition),
      pinnedAt: Number(pinned_at),
    },
  ]
}
