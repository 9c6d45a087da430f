/** The secrets of one tenant on disk: encrypted, each text once, and forgotten when it was not seen for a while. */

import { createHmac, randomBytes } from 'node:crypto'
import { join } from 'node:path'

import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { loadOrCreateKey, readKey } from '../../platform/secrets/keys.ts'
import type { Log } from '../../platform/log.ts'
import { seal, sealBytes, unseal, type Sealed } from '../../platform/secrets/sealing.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { FoundSecret } from '@contextd/scrub/internal/session-tokens'

export interface SecretStoreOptions {
  readonly store: Store
  readonly tenant: string
  /** Holds `secrets.key`. */
  readonly keysDir: string
  readonly clock: Clock
  /** How long a secret is kept after it was last seen. */
  readonly keepMs: number
  /** Hears of secrets that do not open. */
  readonly report: Log
}

/** What may be told of a secret. */
export interface SecretRecord {
  readonly id: string
  /** Found in a text, or set by the person. */
  readonly kind: 'found' | 'set'
  readonly rule: string
  readonly createdAt: number
  readonly seenAt: number
  /** Absent where it is kept until it is forgotten by hand. */
  readonly expiresAt?: number
  /** UTF-16 units of its text. */
  readonly length: number
  /** How many sessions were given a token for it. */
  readonly sessions: number
}

export type SecretChoice = { readonly id: string } | { readonly rule: string } | { readonly all: true }

export interface SecretStore {
  /** The id of this text, which counts as seen now. Call it in a transaction. */
  enter(found: FoundSecret): string
  /** Marks it as seen; false where it is forgotten. */
  see(id: string): boolean
  /** Undefined where it is forgotten, or was tampered with. */
  open(id: string): FoundSecret | undefined
  /** What to look for, some at a time unless `all`: those that were set, then those seen last, and whatever comes since. */
  news(all?: boolean): readonly FoundSecret[]
  /** Whether there is some without a look at the store: what was opened since, and with `all` what the last `news` left. */
  hasMoreNews(all: boolean): boolean
  /** Answers its id. */
  set(name: string, value: string, days?: number): string
  /** What was last set under the name. */
  named(name: string): string | undefined
  list(): SecretRecord[]
  forget(which: SecretChoice): number
  /** Removes what is past its time. */
  prune(): number
}

const dayMs = 86_400_000
/** How many secrets of the past are looked for, and how many characters of them: each is hunted in many forms. */
const maxSearchedValues = 2000
const maxSearchedChars = 400_000
/** How many are taken up at a time: to take up one costs more than to read it. */
const maxPerTurn = 250

export function createSecretStore(options: SecretStoreOptions): SecretStore {
  const { store, tenant, clock, keepMs, report } = options
  const rows = store.rows('secrets', { tenant })
  const keys = lazyKeys(options)
  let lastSeq: number | undefined
  /** Ids that are looked for in this process already. */
  const hunted = new Set<string>()
  /** To be looked for: by their ids, and those that are opened. */
  let waiting: string[] = []
  let pending: FoundSecret[] = []

  const isAlive = ({ expires_at = null }: SqlRow): boolean =>
    expires_at === null || Number(expires_at) > clock()
  const placeOf = (id: string, mac: Uint8Array): string[] => [tenant, id, Buffer.from(mac).toString('hex')]
  // Units as they are: a text need not be well-formed to be a secret.
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
    hunted.add(id)
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

  /** Those that open. The others read as forgotten: to stop for them would stop everything. */
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

  /** What the person set comes first, then what was seen last, as much as can be hunted. */
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

  const hunt = (found: readonly SqlRow[]): void => {
    const strangers = found.filter((row) => !hunted.has(String(row.id)) && isAlive(row))
    pending.push(...openRows(strangers))
    for (const { id } of strangers) hunted.add(String(id))
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
      // Whoever gets the value may say it again, in any form.
      hunt([row])
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
      // Read anew, because what waited may be forgotten by now.
      const count = all ? waiting.length : maxPerTurn
      const turn = waiting.slice(0, count).map((id) => rows.first({ id }))
      hunt(turn.filter((row) => row !== undefined))
      waiting = waiting.slice(count)
      const found = pending
      pending = []
      return found
    },
    hasMoreNews: (all) => pending.length > 0 || (all && waiting.length > 0),
    set: (name, value, days) =>
      store.transaction(() => {
        const known = rows.first({ mac: macOf(bytesOf(value)) })
        // Inserted anew, so that running processes see something new.
        if (known !== undefined) rows.remove({ id: String(known.id) })
        const id = known !== undefined && isAlive(known) ? String(known.id) : newId()
        const details = { kind: 'set', rule: `set:${name}` } as const
        insert(id, value, days === undefined ? details : { ...details, expiresAt: clock() + days * dayMs })
        return id
      }),
    named(name) {
      // Not the forms of it that were found in texts since: those are whatever a tool made of it.
      const newest = rows.all({ rule: `set:${name}`, kind: 'set' }, { orderBy: 'seq' }).findLast(isAlive)
      return newest && openRows([newest])[0]?.value
    },
    list() {
      const sessions = new Map<string, number>()
      for (const { secret } of store.rows('secret_tokens', { tenant }).iterate()) {
        sessions.set(String(secret), (sessions.get(String(secret)) ?? 0) + 1)
      }
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

/** Read when the first secret needs them. A key for each purpose: what one tells says nothing about the other. */
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
