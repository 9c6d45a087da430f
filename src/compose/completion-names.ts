/** Names for the completion of a command line, without putting contextd together. */

import { LOCAL_TENANT } from '../core/call.ts'
import type { SqlRow } from '../platform/storage/sqlite.ts'
import { openStore, type Store } from '../platform/storage/store.ts'

export { builtinNames } from '../tools/builtin/names.ts'

export type KeptKind = 'memories' | 'checkpoints' | 'branches'

const most = 50
const newestFirst = { orderBy: 'seq', descending: true } as const

/** Those that commands in this project find, the newest first, with what they are about. */
export function newestIds(
  database: string,
  kind: KeptKind,
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

function newestRows(store: Store, kind: KeptKind, project: string): SqlRow[] {
  const owner = { tenant: LOCAL_TENANT, project }
  if (kind !== 'memories') return store.rows(kind, owner).all({}, { ...newestFirst, limit: most })
  const found: SqlRow[] = []
  // Some are for every project.
  for (const row of store.rows('memories', { tenant: LOCAL_TENANT }).iterate({}, newestFirst)) {
    if (row.project === project || row.scope === 'user') found.push(row)
    if (found.length === most) break
  }
  return found
}
