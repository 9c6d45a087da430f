/** Names for the completion of a command line, without putting contextd together. */

import { LOCAL_TENANT } from '../core/call.ts'
import { openStore } from '../platform/storage/store.ts'

export { builtinNames } from '../tools/builtin/names.ts'

const titles = { memories: 'title', checkpoints: 'name', branches: 'description' } as const
const most = 50

/** The newest first, with what they are about. */
export function newestIds(
  database: string,
  table: keyof typeof titles,
): { readonly value: string; readonly description: string }[] {
  const store = openStore(database)
  try {
    const sql = `SELECT id, ${titles[table]} AS title FROM ${table} WHERE tenant = ? ORDER BY seq DESC LIMIT ${most}`
    return store
      .prepare(sql)
      .all(LOCAL_TENANT)
      .map(({ id, title }) => ({ value: String(id), description: String(title) }))
  } finally {
    store.close()
  }
}
