/** Stores the pinned definitions of tools. */

import { mapStrings, type JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../../core/ports.ts'
import type { SqlRow } from '../../../platform/storage/sqlite.ts'
import type { Store } from '../../../platform/storage/store.ts'
import { asPinned, type PinnedDefinition, type PinOwner } from './pinned-definition.ts'

export interface Pin {
  readonly sha256: string
  readonly definition: PinnedDefinition
  /** Hash of the program or URL; the pin is not valid for another one under the same name. */
  readonly identity: string
  /** Epoch milliseconds. */
  readonly pinnedAt: number
}

export interface PinStore {
  /** Pins by tool name. */
  list(owner: PinOwner): ReadonlyMap<string, Pin>
  put(owner: PinOwner, pin: Omit<Pin, 'pinnedAt'>): void
  remove(owner: PinOwner, tool: string): void
  /** Runs atomically and excludes other processes. */
  transaction<T>(work: () => T): T
  /** A counter that changes when another process may have written. */
  foreignWrites(): number
}

/** `clean` masks secrets before they are stored. */
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

/** Except the name, which identifies the tool. */
function cleaned({ name, ...definition }: PinnedDefinition, clean: (text: string) => string): JsonObject {
  return { name, ...(mapStrings(definition, clean) as JsonObject) }
}

function toPin({ tool, sha256, definition, pinned_at }: SqlRow): [string, Pin] {
  const stored = JSON.parse(String(definition)) as { identity: string; definition: JsonObject }
  return [
    String(tool),
    {
      sha256: String(sha256),
      identity: stored.identity,
      definition: asPinned(stored.definition),
      pinnedAt: Number(pinned_at),
    },
  ]
}
