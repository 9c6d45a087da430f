/** Secrets that we issue and show once: an id to find the row by, a random part, and only a hash of both in the store. */

import { createHash, timingSafeEqual } from 'node:crypto'

import type { Clock } from '../../core/ports.ts'
import type { SqlRow, SqlValue } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'

/** Tables with the columns `id`, `hash`, `created_at`, `used_at` and `revoked_at`. */
type SecretTable = 'agent_tokens' | 'model_keys'

export interface HashedSecrets {
  /** `values` are the columns that say what the secret is for. */
  create(values: Readonly<Record<string, SqlValue>>): { id: string; secret: string; createdAt: number }
  list(): SqlRow[]
  /** False when no live secret has this id. */
  revoke(id: string): boolean
  /** The row of a live secret. */
  find(secret: string): SqlRow | undefined
  /** As `find`, and notes that it was used. */
  verify(secret: string): SqlRow | undefined
}

export interface SecretDates {
  readonly createdAt: number
  readonly usedAt?: number
  readonly revokedAt?: number
}

const format = /^(ctx[dm])_([A-Za-z0-9_-]{11})_[A-Za-z0-9_-]{43}$/
/** How stale "last used" may be: it is for people, and a write per request would be waste. */
const usedAtResolution = 60_000

/** `prefix` says what kind of secret it is, for people and scanners that find one. */
export function createHashedSecrets(
  { store, table, prefix }: { store: Store; table: SecretTable; prefix: 'ctxd' | 'ctxm' },
  tenant: string,
  clock: Clock,
  randomBytes: (size: number) => Buffer,
): HashedSecrets {
  const rows = store.rows(table, { tenant })
  const find = (secret: string): SqlRow | undefined => {
    const [, kind, id] = format.exec(secret) ?? []
    const row = id === undefined || kind !== prefix ? undefined : rows.first({ id, revoked_at: null })
    // The id is public; only the comparison of the secret must not leak where it differs.
    return row !== undefined && timingSafeEqual(digest(secret), row.hash as Uint8Array) ? row : undefined
  }
  return {
    create(values) {
      // On a command line, a dash at the beginning would make it an option.
      const id = randomBytes(8).toString('base64url').replace(/^-/, 'a')
      const secret = `${prefix}_${id}_${randomBytes(32).toString('base64url')}`
      const createdAt = clock()
      rows.insert({ ...values, id, hash: digest(secret), created_at: createdAt })
      return { id, secret, createdAt }
    },
    list: () => rows.all({}, { orderBy: 'created_at' }),
    revoke: (id) => rows.update({ revoked_at: clock() }, { id, revoked_at: null }) === 1,
    find,
    verify(secret) {
      const row = find(secret)
      if (row !== undefined && clock() - Number(row.used_at ?? 0) > usedAtResolution)
        rows.update({ used_at: clock() }, { id: row.id as string })
      return row
    },
  }
}

export function readDates(row: SqlRow): SecretDates {
  return {
    createdAt: Number(row.created_at),
    ...(row.used_at !== null && { usedAt: Number(row.used_at) }),
    ...(row.revoked_at !== null && { revokedAt: Number(row.revoked_at) }),
  }
}

function digest(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
