import type { Scope } from '../../core/call.ts'
import type { Store } from './store.ts'

export interface BodySlice {
  readonly bytes: Uint8Array
  /** Bytes of the whole body. */
  readonly total: number
  readonly expiresAt: number
}

/** A part of the body of one owner's ref. No more than that leaves SQLite, however long the body is. */
export function readRefBody(
  store: Pick<Store, 'prepare'>,
  { tenant, project, session, agent }: Scope,
  id: string,
  { offset, length }: { offset: number; length: number },
): BodySlice | undefined {
  const row = store
    .prepare(
      `SELECT substr(body, ?, ?) AS bytes, length(body) AS total, expires_at FROM refs
       WHERE tenant = ? AND project = ? AND session = ? AND agent = ? AND id = ?`,
    )
    .get(offset + 1, length, tenant, project, session, agent, id)
  if (row === undefined) return undefined
  return { bytes: row.bytes as Uint8Array, total: Number(row.total), expiresAt: Number(row.expires_at) }
}

/** Housekeeping for all owners: drops what has expired, and in the end forgets that it was there. */
export function purgeRefs(
  store: Pick<Store, 'prepare'>,
  { expiredAt, forgottenAt }: { expiredAt: number; forgottenAt: number },
): void {
  store.prepare("UPDATE refs SET body = x'' WHERE expires_at <= ? AND length(body) > 0").run(expiredAt)
  store.prepare('DELETE FROM refs WHERE expires_at <= ?').run(forgottenAt)
}
