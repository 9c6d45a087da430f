import type { Store } from '../../platform/storage/store.ts'
import { throwIssues } from './memory-fields.ts'
import { sourcesText } from './memory-row.ts'

/** More than a few from one piece of work say little, and drown what matters. */
const maxFromOneSource = 3
/** Where several attempts are compared there is more to say. */
const maxFromSeveralSources = 5

export function maxFromSources(sources: readonly string[]): number {
  return new Set(sources).size > 1 ? maxFromSeveralSources : maxFromOneSource
}

export function keptFrom(store: Store, tenant: string, sources: readonly string[]): number {
  return store.rows('memories', { tenant }).all({ sources: sourcesText(sources) }).length
}

/** Throws INVALID_ARGUMENTS where as many memories as there may be come from these sources already. */
export function refuseTooMany(store: Store, tenant: string, sources: readonly string[] = []): void {
  if (sources.length === 0) return
  const most = maxFromSources(sources)
  if (keptFrom(store, tenant, sources) < most) return
  throwIssues([
    { field: 'from', expected: `at most ${most} memories of the same sources, and so many are kept already` },
  ])
}
