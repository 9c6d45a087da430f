/**
 * Secrets that we issue and show once. Each consists of an id to find its row and a random part; only a hash of both
 * is stored.
 */

import { createHash, timingSafeEqual } from 'node:crypto'

import type { Clock } from '../../core/ports.ts'
import type { SqlRow, SqlValue } from '../storage/sqlite.ts'
import type { Store } from '../storage/store.ts'

/** Tables with the columns `id`, `hash`, `created_at`, `used_at` and `revoked_at`. */
type SecretTable = 'agent_tokens' | 'model_keys'

export interface HashedSecrets {
  /** `values` are the columns that describe what the secret is for. */
  create(values: Readonly<Record<string, SqlValue>>): { id: string; secret: string; createdAt: number }
  list(): SqlRow[]
  /** False if there is no active secret with this id. */
  revoke(id: string): boolean
  /** The row of an active secret. */
  find(secret: string): SqlRow | undefined
  /** Like `find`, and records the use. */
  verify(secret: string): SqlRow | undefined
}

export interface SecretDates {
  readonly createdAt: number
  readonly usedAt?: number
  readonly revokedAt?: number
}

const format = /^(ctx[dm])_([A-Za-z0-9_-]{11})_[A-Za-z0-9_-]{43}$/
/** Max staleness of the last use: it is only for display, and not worth a write per request. */
const usedAtResolution = 60_000

/** `prefix` identifies the kind of secret to people and scanners. */
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
    // The id is public; only the comparison of the secret must be constant-time.
    return row !== undefined && timingSafeEqual(digest(secret), row.hash as Uint8Array) ? row : undefined
  }
  return {
    create(values) {
      // A leading dash would make it an option on a command line.
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
