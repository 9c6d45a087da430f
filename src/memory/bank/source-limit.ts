import type { Store } from '../../platform/storage/store.ts'
import { throwIssues } from './memory-fields.ts'
import { sourcesText } from './memory-row.ts'

/** More memories from one piece of work add little and bury the important ones. */
const maxFromOneSource = 3
/** Comparing several attempts yields more. */
const maxFromSeveralSources = 5

export function maxFromSources(sources: readonly string[]): number {
  return new Set(sources).size > 1 ? maxFromSeveralSources : maxFromOneSource
}

export function countFromSources(store: Store, tenant: string, sources: readonly string[]): number {
  return store.rows('memories', { tenant }).all({ sources: sourcesText(sources) }).length
}

/** Throws INVALID_ARGUMENTS if these sources already have the maximum number of memories. */
export function refuseTooMany(store: Store, tenant: string, sources: readonly string[] = []): void {
  if (sources.length === 0) return
  const maxMemories = maxFromSources(sources)
  if (countFromSources(store, tenant, sources) < maxMemories) return
  throwIssues([
    {
      field: 'from',
      expected: `at most ${maxMemories} memories per set of sources; that many are stored already`,
    },
  ])
}
