import type { Scope } from '../../core/call.ts'
import type { Store } from './store.ts'

export interface BodySlice {
  readonly bytes: Uint8Array
  /** Size of the whole body. */
  readonly total: number
  readonly expiresAt: number
}

/**
 * A part of a ref's body. Only that part is read from SQLite, however long the body is. A ref created in a branch is
 * readable in that branch and those inside it.
 */
export function readRefBody(
  store: Pick<Store, 'prepare'>,
  { tenant, project, session, agent, branch = '' }: Scope,
  id: string,
  { offset, length }: { offset: number; length: number },
): BodySlice | undefined {
  const row = store
    .prepare(
      `WITH RECURSIVE around (id) AS (
         VALUES (?) UNION
         SELECT branches.parent FROM around JOIN branches ON branches.id = around.id
         WHERE branches.tenant = ? AND branches.parent IS NOT NULL
       )
       SELECT substr(body, ?, ?) AS bytes, length(body) AS total, expires_at FROM refs
       WHERE tenant = ? AND project = ? AND session = ? AND agent = ? AND id = ?
         AND (branch = '' OR branch IN (SELECT id FROM around))`,
    )
    .get(branch, tenant, offset + 1, length, tenant, project, session, agent, id)
  if (row === undefined) return undefined
  return { bytes: row.bytes as Uint8Array, total: Number(row.total), expiresAt: Number(row.expires_at) }
}

/** Deletes the bodies of expired refs of all owners, and later the refs themselves. */
export function purgeRefs(
  store: Pick<Store, 'prepare'>,
  { expiredAt, forgottenAt }: { expiredAt: number; forgottenAt: number },
): void {
  store.prepare("UPDATE refs SET body = x'' WHERE expires_at <= ? AND length(body) > 0").run(expiredAt)
  store.prepare('DELETE FROM refs WHERE expires_at <= ?').run(forgottenAt)
}
