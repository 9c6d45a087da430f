/** Names for shell completion, without creating a runtime. */

import { LOCAL_TENANT } from '../core/call.ts'
import type { SqlRow } from '../platform/storage/sqlite.ts'
import { openStore, type Store } from '../platform/storage/store.ts'

export { builtinNames } from '../tools/builtin/names.ts'

export type StoredKind = 'memories' | 'checkpoints' | 'branches'

const maxIds = 50
const newestFirst = { orderBy: 'seq', descending: true } as const

/** The newest entries that commands in this project can access, with a short description each. */
export function newestIds(
  database: string,
  kind: StoredKind,
  project: string,
): { readonly value: string; readonly description: string }[] {
  const store = openStore(database)
  try {
    return newestRows(store, kind, project).map(({ id, title, name, description }) => ({
      value: String(id),
      description: String(title ?? name ?? description),
    }))
  } finally {
    store.close()
  }
}

function newestRows(store: Store, kind: StoredKind, project: string): SqlRow[] {
  const owner = { tenant: LOCAL_TENANT, project }
  if (kind !== 'memories') return store.rows(kind, owner).all({}, { ...newestFirst, limit: maxIds })
  const found: SqlRow[] = []
  // Memories of scope `user` apply to every project.
  for (const row of store.rows('memories', { tenant: LOCAL_TENANT }).iterate({}, newestFirst)) {
    if (row.project === project || row.scope === 'user') found.push(row)
    if (found.length === maxIds) break
  }
  return found
}
