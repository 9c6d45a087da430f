/** Who uses the memory, and which memories the rules let them read and write. */

import type { Scope } from '../core/call.ts'
import { ContextdError } from '../core/errors/errors.ts'
import { reaches, type MemoryScope } from '../core/memory-scope.ts'
import type { SqlRow } from '../platform/storage/sqlite.ts'

/** The caller, and the scopes that the rules grant it. */
export interface MemoryReach extends Scope {
  readonly branch?: string
  readonly read: readonly MemoryScope[]
  readonly write: readonly MemoryScope[]
}

/** Converts text on its way into the store and out of it: scrubbed, with ids in place of a session's tokens. */
export interface Archiver {
  archive(text: string): string
  recall(text: string): string
}

export interface MemoryUser {
  readonly reach: MemoryReach
  readonly archiver: Archiver
}

type Access = 'read' | 'write'

/** Throws MEMORY_SCOPE_REFUSED if the rules deny access. */
export function refuseScope(reach: MemoryReach, access: Access, scope: MemoryScope): void {
  if (reaches(reach[access], scope)) return
  throw new ContextdError('MEMORY_SCOPE_REFUSED', { agent: reach.agent, access, scope })
}

/** The scope needed to access this memory: memories of other projects are only part of `all`. */
export function scopeOfMemory(
  row: SqlRow,
  reach: MemoryReach,
  scope: SqlRow[string] | undefined = row.scope,
): MemoryScope {
  if (scope === 'user') return 'user'
  return row.project === reach.project ? 'project' : 'all'
}

export function mayRead(row: SqlRow, reach: MemoryReach): boolean {
  return reaches(reach.read, scopeOfMemory(row, reach))
}

/** Whether it belongs to one of these projects; the empty name means user-wide memories. */
export function isOf({ scope, project }: SqlRow, projects: readonly string[]): boolean {
  if (scope === 'user') return projects.includes('')
  return project !== '' && projects.includes(project as string)
}

/**
 * The projects to search, where the empty name means user-wide memories; undefined for all. Without a scope: the
 * project's and the user's memories, as far as the rules allow.
 */
export function projectsIn(
  reach: MemoryReach,
  scope: MemoryScope | undefined,
): readonly string[] | undefined {
  if (scope !== undefined) {
    refuseScope(reach, 'read', scope)
    return scope === 'all' ? undefined : [scope === 'user' ? '' : reach.project]
  }
  const allowed = (['project', 'user'] as const).filter((one) => reaches(reach.read, one))
  if (allowed.length === 0) refuseScope(reach, 'read', 'project')
  return allowed.map((one) => (one === 'user' ? '' : reach.project))
}
