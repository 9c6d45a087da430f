/** Stores a tenant's secrets: encrypted, each value once, and forgotten if not seen for a while. */

import { randomBytes } from 'node:crypto'

import type { Clock } from '../../core/ports.ts'
import type { Where } from '../../platform/storage/row-sql.ts'
import { countTokenSessions } from '../../platform/storage/secret-tokens.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'
import { createSearchQueue } from './search-queue.ts'
import { createSecretCipher, storedLength, type SecretCipherOptions } from './secret-cipher.ts'

export interface SecretStoreOptions extends SecretCipherOptions {
  readonly clock: Clock
  /** How long a secret is kept after it was last seen. */
  readonly keepMs: number
}

/** The nonsecret data of a secret. */
export interface SecretRecord {
  readonly id: string
  /** Found in a text, or set by the user. */
  readonly kind: 'found' | 'set'
  readonly rule: string
  readonly createdAt: number
  readonly seenAt: number
  /** Absent if it is kept until explicitly forgotten. */
  readonly expiresAt?: number
  /** Length of its value in UTF-16 units. */
  readonly length: number
  /** How many sessions have a token for it. */
  readonly sessions: number
}

export type SecretChoice = { readonly id: string } | { readonly rule: string } | { readonly all: true }

export interface SecretStore {
  /** The id of this value, which is marked as seen. Must be called in a transaction. */
  enter(found: FoundSecret): string
  /** False if it is forgotten. */
  has(id: string): boolean
  /** Marks it as seen; false if it is forgotten. */
  see(id: string): boolean
  /** Undefined if it is forgotten or was tampered with. */
  open(id: string): FoundSecret | undefined
  /** Changes whenever another process writes to the file, or this process deletes secrets. */
  state(): string
  /**
   * Values to search for, in batches unless `all`: first those that were set, then the most recently seen, and later
   * new ones.
   */
  news(all?: boolean): readonly FoundSecret[]
  /**
   * Whether there are more without reading the store: values opened since, and with `all`, those that the last `news`
   * left.
   */
  hasMoreNews(all: boolean): boolean
  /** Returns its id. */
  set(name: string, value: string, days?: number): string
  /** The last value set under the name. */
  named(name: string): string | undefined
  list(): SecretRecord[]
  forget(which: SecretChoice): number
  /** Deletes expired secrets. */
  prune(): number
}

const dayMs = 86_400_000

export function createSecretStore(options: SecretStoreOptions): SecretStore {
  const { store, tenant, clock, keepMs } = options
  const rows = store.rows('secrets', { tenant })
  const cipher = createSecretCipher(options)
  const isAlive = ({ expires_at = null }: SqlRow): boolean =>
    expires_at === null || Number(expires_at) > clock()
  const queue = createSearchQueue({ rows, isAlive, open: cipher.open })
  /** How often this process has deleted secrets. */
  let removals = 0

  const insert = (
    id: string,
    value: string,
    { kind, rule, expiresAt }: Pick<SecretRecord, 'kind' | 'rule'> & { expiresAt: number | null },
  ): void => {
    const now = clock()
    const sealed = cipher.seal(id, value)
    rows.insert({ id, kind, rule, ...sealed, created_at: now, seen_at: now, expires_at: expiresAt })
    queue.skip(id)
  }

  const aliveRow = (id: string): SqlRow | undefined => {
    const row = rows.first({ id })
    return row !== undefined && isAlive(row) ? row : undefined
  }

  const see = (id: string): boolean => {
    const now = clock()
    if (rows.update({ seen_at: now }, { id }) === 0) return false
    rows.update({ expires_at: now + keepMs }, { id, kind: 'found' })
    return true
  }

  const remove = (where: Where<'secrets'>): number => {
    removals++
    return rows.remove(where)
  }

  return {
    enter({ value, rule }) {
      const known = rows.first({ mac: cipher.macOf(value) })
      if (known !== undefined) {
        const id = String(known.id)
        if (isAlive(known) && see(id)) return id
        rows.remove({ id })
      }
      const id = newId()
      insert(id, value, { kind: 'found', rule, expiresAt: clock() + keepMs })
      return id
    },
    has: (id) => aliveRow(id) !== undefined,
    see: (id) => aliveRow(id) !== undefined && see(id),
    open(id) {
      const row = aliveRow(id)
      if (row === undefined) return undefined
      // A caller that gets the value may output it in any form.
      queue.add(row)
      return cipher.open([row])[0]
    },
    state: () => `${store.foreignWrites()} ${removals}`,
    news: (all = false) => queue.next(all),
    hasMoreNews: queue.hasMore,
    set: (name, value, days) =>
      store.transaction(() => {
        const known = rows.first({ mac: cipher.macOf(value) })
        // Inserted again, so that running processes notice it.
        if (known !== undefined) rows.remove({ id: String(known.id) })
        const id = known !== undefined && isAlive(known) ? String(known.id) : newId()
        const expiresAt = days === undefined ? null : clock() + days * dayMs
        insert(id, value, { kind: 'set', rule: `set:${name}`, expiresAt })
        return id
      }),
    named(name) {
      // Excludes forms of it that were found in texts, which may be a tool's transformation.
      const newest = rows.all({ rule: `set:${name}`, kind: 'set' }, { orderBy: 'seq' }).findLast(isAlive)
      return newest && cipher.open([newest])[0]?.value
    },
    list() {
      const sessions = countTokenSessions(store, tenant)
      const alive = rows.all({}, { orderBy: 'created_at' }).filter(isAlive)
      return alive.map((row) => toRecord(row, sessions.get(String(row.id)) ?? 0))
    },
    forget: (which) => remove('all' in which ? {} : which),
    prune: () => remove({ expires_at: { atMost: clock() } }),
  }
}

function newId(): string {
  return randomBytes(6).toString('hex')
}

function toRecord(row: SqlRow, sessions: number): SecretRecord {
  const { id, kind, rule, created_at, seen_at, expires_at } = row
  return {
    id: String(id),
    kind: kind as SecretRecord['kind'],
    rule: String(rule),
    createdAt: Number(created_at),
    seenAt: Number(seen_at),
    ...(expires_at != null && { expiresAt: Number(expires_at) }),
    length: storedLength(row),
    sessions,
  }
}
