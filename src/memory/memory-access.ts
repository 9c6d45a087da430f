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
export interface Keeping {
  archive(text: string): string
  recall(text: string): string
}

export interface MemoryUser {
  readonly reach: MemoryReach
  readonly keeping: Keeping
}

type Access = 'read' | 'write'

/** Throws MEMORY_SCOPE_REFUSED where the rules do not let them. */
export function refuseScope(reach: MemoryReach, access: Access, scope: MemoryScope): void {
  if (reaches(reach[access], scope)) return
  throw new ContextdError('MEMORY_SCOPE_REFUSED', { agent: reach.agent, access, scope })
}

/** The scope somebody must have to get at this memory: those of other projects are part of `all` only. */
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

/** Whether it belongs to one of these projects, empty for what belongs to all of them. */
export function isOf({ scope, project }: SqlRow, projects: readonly string[]): boolean {
  if (scope === 'user') return projects.includes('')
  return project !== '' && projects.includes(project as string)
}

/**
 * The projects whose memories are meant, empty for those that belong to all; undefined for every one there is. Without
 * a scope it is all that a session works with: its project's and the user's, as far as the rules let.
 */
export function projectsIn(
  reach: MemoryReach,
  scope: MemoryScope | undefined,
): readonly string[] | undefined {
  if (scope !== undefined) {
    refuseScope(reach, 'read', scope)
    return scope === 'all' ? undefined : [scope === 'user' ? '' : reach.project]
  }
  const near = (['project', 'user'] as const).filter((one) => reaches(reach.read, one))
  if (near.length === 0) refuseScope(reach, 'read', 'project')
  return near.map((one) => (one === 'user' ? '' : reach.project))
}
