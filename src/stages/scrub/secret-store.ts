/** Stores a tenant's secrets: encrypted, each value once, and forgotten if not seen for a while. */

import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { loadOrCreateKey, readKey } from '../../platform/secrets/keys.ts'
import type { Log } from '../../platform/log.ts'
import { seal, sealBytes, unseal, type Sealed } from '../../platform/secrets/sealing.ts'
import { countTokenSessions } from '../../platform/storage/secret-tokens.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'

export interface SecretStoreOptions {
  readonly store: Store
  readonly tenant: string
  /** Contains `secrets.key`. */
  readonly keysDir: string
  readonly clock: Clock
  /** How long a secret is kept after it was last seen. */
  readonly keepMs: number
  /** Receives reports of secrets that cannot be decrypted. */
  readonly report: Log
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
  /** Marks it as seen; false if it is forgotten. */
  see(id: string): boolean
  /** Undefined if it is forgotten or was tampered with. */
  open(id: string): FoundSecret | undefined
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
/** Max number and total length of past secrets to search for: each is searched in many forms. */
const maxSearchedValues = 2000
const maxSearchedChars = 400_000
/** Max values per batch: preparing one for searching costs more than reading it. */
const batchSize = 250

export function createSecretStore(options: SecretStoreOptions): SecretStore {
  const { store, tenant, clock, keepMs, report } = options
  const rows = store.rows('secrets', { tenant })
  const keys = lazyKeys(options)
  let lastSeq: number | undefined
  /** Ids that this process already searches for. */
  const searched = new Set<string>()
  /** Values still to be searched for: by id, and decrypted. */
  let waiting: string[] = []
  let pending: FoundSecret[] = []

  const isAlive = ({ expires_at = null }: SqlRow): boolean =>
    expires_at === null || Number(expires_at) > clock()
  const placeOf = (id: string, mac: Uint8Array): string[] => [tenant, id, Buffer.from(mac).toString('hex')]
  // Raw UTF-16 units, because a secret need not be well-formed text.
  const bytesOf = (value: string): Buffer => Buffer.from(value, 'utf16le')
  const macOf = (bytes: Buffer): Buffer => createHmac('sha256', keys().mac).update(bytes).digest()

  const insert = (
    id: string,
    value: string,
    details: Pick<SecretRecord, 'kind' | 'rule' | 'expiresAt'>,
  ): void => {
    const bytes = bytesOf(value)
    const mac = macOf(bytes)
    const now = clock()
    const { kind, rule, expiresAt = null } = details
    const sealed = seal(keys().body, bytes, placeOf(id, mac))
    rows.insert({ id, mac, kind, rule, ...sealed, created_at: now, seen_at: now, expires_at: expiresAt })
    searched.add(id)
  }

  const see = (id: string): boolean => {
    const now = clock()
    if (rows.update({ seen_at: now }, { id }) === 0) return false
    rows.update({ expires_at: now + keepMs }, { id, kind: 'found' })
    return true
  }

  const openRow = (row: SqlRow): FoundSecret => {
    const { id, mac, rule } = row as { id: string; mac: Uint8Array; rule: string }
    return {
      value: unseal(keys().body, row as unknown as Sealed, placeOf(id, mac)).toString('utf16le'),
      rule,
    }
  }

  /** Returns those that can be decrypted. The others count as forgotten: failing would block everything. */
  const openRows = (found: readonly SqlRow[]): FoundSecret[] => {
    const broken: string[] = []
    const opened = found.flatMap((row) => {
      try {
        return openRow(row)
      } catch (error) {
        if (error instanceof CodedError) throw error
        broken.push(String(row.id))
        return []
      }
    })
    if (broken.length > 0) {
      const cause = 'they were changed, or made with another key'
      report('error', 'secrets of the registry do not open', {
        secrets: broken.slice(0, 10),
        count: broken.length,
        cause,
      })
    }
    return opened
  }

  const newestSeq = (): number => Number(rows.first({}, { orderBy: 'seq', descending: true })?.seq ?? 0)

  /** The user's values first, then the most recently seen ones, up to the limits. */
  const firstNews = (): string[] => {
    const chosen = rows.all({ kind: 'set' })
    let room = maxSearchedChars
    const latest = { orderBy: 'seen_at', descending: true, limit: maxSearchedValues } as const
    for (const row of rows.iterate({ kind: 'found' }, latest)) {
      if (lengthOf(row) > room) continue
      room -= lengthOf(row)
      chosen.push(row)
    }
    return chosen.map(({ id }) => String(id))
  }

  const startSearching = (found: readonly SqlRow[]): void => {
    const newRows = found.filter((row) => !searched.has(String(row.id)) && isAlive(row))
    pending.push(...openRows(newRows))
    for (const { id } of newRows) searched.add(String(id))
  }

  return {
    enter({ value, rule }) {
      const known = rows.first({ mac: macOf(bytesOf(value)) })
      if (known !== undefined) {
        const id = String(known.id)
        if (isAlive(known) && see(id)) return id
        rows.remove({ id })
      }
      const id = newId()
      insert(id, value, { kind: 'found', rule, expiresAt: clock() + keepMs })
      return id
    },
    see(id) {
      const row = rows.first({ id })
      return row !== undefined && isAlive(row) && see(id)
    },
    open(id) {
      const row = rows.first({ id })
      if (row === undefined || !isAlive(row)) return undefined
      // A caller that gets the value may output it in any form.
      startSearching([row])
      return openRows([row])[0]
    },
    news(all = false) {
      const newest = newestSeq()
      if (lastSeq === undefined) waiting = newest === 0 ? [] : firstNews()
      else if (newest > lastSeq) {
        const since = rows.all({ seq: { atLeast: lastSeq + 1, atMost: newest } }, { orderBy: 'seq' })
        waiting = [...since.map(({ id }) => String(id)), ...waiting]
      }
      lastSeq = newest
      // Read again, because waiting secrets may have been forgotten.
      const count = all ? waiting.length : batchSize
      const batch = waiting.slice(0, count).map((id) => rows.first({ id }))
      startSearching(batch.filter((row) => row !== undefined))
      waiting = waiting.slice(count)
      const found = pending
      pending = []
      return found
    },
    hasMoreNews: (all) => pending.length > 0 || (all && waiting.length > 0),
    set: (name, value, days) =>
      store.transaction(() => {
        const known = rows.first({ mac: macOf(bytesOf(value)) })
        // Inserted again, so that running processes notice it.
        if (known !== undefined) rows.remove({ id: String(known.id) })
        const id = known !== undefined && isAlive(known) ? String(known.id) : newId()
        const details = { kind: 'set', rule: `set:${name}` } as const
        insert(id, value, days === undefined ? details : { ...details, expiresAt: clock() + days * dayMs })
        return id
      }),
    named(name) {
      // Excludes forms of it that were found in texts, which may be a tool's transformation.
      const newest = rows.all({ rule: `set:${name}`, kind: 'set' }, { orderBy: 'seq' }).findLast(isAlive)
      return newest && openRows([newest])[0]?.value
    },
    list() {
      const sessions = countTokenSessions(store, tenant)
      const alive = rows.all({}, { orderBy: 'created_at' }).filter(isAlive)
      return alive.map((row) => toRecord(row, sessions.get(String(row.id)) ?? 0))
    },
    forget: (which) => rows.remove('all' in which ? {} : which),
    prune: () => rows.remove({ expires_at: { atMost: clock() } }),
  }
}

function newId(): string {
  return randomBytes(6).toString('hex')
}

function lengthOf({ body }: SqlRow): number {
  return ((body as Uint8Array).length - sealBytes) / 2
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
    length: lengthOf(row),
    sessions,
  }
}

/** Loaded when first needed. A separate key per purpose, so that neither reveals anything about the other. */
function lazyKeys({ store, tenant, keysDir }: SecretStoreOptions): () => { body: Buffer; mac: Buffer } {
  const load = (): Buffer => {
    const path = join(keysDir, 'secrets.key')
    const key = readKey(path)
    if (key !== undefined) return key
    if (store.rows('secrets', { tenant }).first() !== undefined) {
      const cause = `the store holds secrets, and their key ${path} is missing`
      const hint = 'Put the key back, or run `ctxd secret forget --all`.'
      throw new ContextdError('STORE_UNAVAILABLE', { cause, hint })
    }
    return loadOrCreateKey(path)
  }
  let keys: { body: Buffer; mac: Buffer } | undefined
  return () => {
    if (keys !== undefined) return keys
    const key = load()
    const derive = (purpose: string): Buffer =>
      createHmac('sha256', key).update(`contextd secrets ${purpose}`).digest()
    keys = { body: derive('body'), mac: derive('mac') }
    return keys
  }
}
