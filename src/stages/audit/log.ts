import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Scope } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import { createKey, readKey } from '../../platform/secrets/keys.ts'
import type { Log } from '../../platform/log.ts'
import type { SqlValue } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { auditColumns } from '../../platform/storage/tables.ts'
import { createSealer, genesis, type ChainLink } from './chain.ts'
import { readAuditHead, writeHead } from './head.ts'
import { canonicalText, toValues, type NewRecord } from './record.ts'
import { pruneChain, prunedEvent } from './retention.ts'

/** The location of a store's chain. */
export interface AuditFiles {
  readonly store: Store
  /** Contains `audit.key` and `vault.key`. */
  readonly keysDir: string
  readonly headFile: string
}

export interface AuditLogOptions extends AuditFiles {
  readonly clock: Clock
  readonly tenant: string
  /** The operating-system user, for events; calls have their own. */
  readonly user: string
  readonly report: Log
}

export interface AuditLog {
  /** Throws if the record cannot be written; whatever depends on it must then not proceed. */
  append(record: NewRecord): ChainLink
  /** The same, but batches records that are requested in the same tick into one write. */
  appendSoon(record: NewRecord): Promise<ChainLink>
  /** Records an event that is not a call: invalid rules, granted trust, a started daemon. */
  event(name: string, details?: JsonObject, owner?: Partial<Omit<Scope, 'tenant'>>): ChainLink
  /**
   * Deletes records from before that time (epoch milliseconds) and adds one that confirms the new start. Stops and
   * reports at the first invalid record.
   */
  prune(before: number): number
  /** Called after this process wrote records; returns a function that unsubscribes. */
  onAppended(listener: () => void): () => void
  /** Updates the head file. Happens automatically a second after an append; must be called before the store closes. */
  flush(): void
}

/** A record to be written, with its promise. */
interface PendingRecord {
  readonly record: NewRecord
  readonly resolve: (link: ChainLink) => void
  readonly reject: (error: unknown) => void
}

const headDelayMs = 1000

const columns = [...auditColumns, 'hash']
const values = `(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
const insertSql = `INSERT INTO audit ${values}`
/** Does nothing if a record with that number exists. */
const insertNextSql = `INSERT OR IGNORE INTO audit ${values}`
const tailSql = 'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1'
const hashSql = 'SELECT hash FROM audit WHERE seq = ?'

export function createAuditLog(options: AuditLogOptions): AuditLog {
  const { store, headFile, clock, tenant, user, report } = options
  const sealer = createSealer(openKey(options))
  const insert = store.prepare(insertSql)
  const insertNext = store.prepare(insertNextSql)
  const tail = store.prepare(tailSql)
  let timer: NodeJS.Timeout | undefined
  let head = readAuditHead(headFile, sealer)
  let written: ChainLink | undefined

  /**
   * The newest link: the head's or our own last one if the table ends before it, so that a truncation stays visible
   * as a gap.
   */
  const lastLink = (): ChainLink => {
    const known = [head.kind === 'head' ? head.link : genesis, written ?? genesis]
    const row = (tail.get() as unknown as ChainLink | undefined) ?? genesis
    return known.reduce((last, link) => (link.seq > last.seq ? link : last), row)
  }

  const seal = (previous: ChainLink, record: NewRecord): { link: ChainLink; values: SqlValue[] } => {
    const seq = previous.seq + 1
    const values = toValues(seq, record)
    const hash = sealer.record(previous.hash, canonicalText(values))
    return { link: { seq, hash }, values: [...values, hash] }
  }

  /** Must run inside a transaction, so that the end of the chain stays the end until the record is written. */
  const link = (record: NewRecord): ChainLink => {
    const sealed = seal(lastLink(), record)
    if (Number(insert.run(...sealed.values).changes) !== 1) {
      const cause = 'the audit table rejected a record: something was added to the table'
      throw new ContextdError('STORE_UNAVAILABLE', {
        cause,
        hint: 'Run `ctxd audit verify`, which names it.',
      })
    }
    return sealed.link
  }

  /** One statement instead of four if no other process has written since we did, which is almost always the case. */
  const linkToLastWritten = (record: NewRecord): ChainLink | undefined => {
    if (written === undefined) return undefined
    const sealed = seal(written, record)
    return Number(insertNext.run(...sealed.values).changes) === 0 ? undefined : sealed.link
  }

  const advanceHead = (): void => {
    head = readAuditHead(headFile, sealer)
    // A mismatching head is evidence: it stays unchanged, and `verify` reports it.
    if (head.kind === 'bad') throw new Error(head.problem)
    const named = store.prepare(hashSql).get(head.link.seq)
    if (named !== undefined && !Buffer.from(head.link.hash).equals(named.hash as Uint8Array)) {
      throw new Error(`record ${head.link.seq} is not the one the head file names`)
    }
    const last = lastLink()
    if (last.seq > head.link.seq) writeHead(headFile, sealer, last)
  }

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    try {
      // Under the write lock, so that the process with the later record wins.
      store.transaction(advanceHead)
    } catch (error) {
      report('error', 'the audit head file was not brought up to date', { cause: (error as Error).message })
    }
  }

  const listeners = new Set<() => void>()
  const noteAppended = (): void => {
    timer ??= setTimeout(flush, headDelayMs).unref()
    for (const listener of listeners) listener()
  }

  const append = (record: NewRecord): ChainLink => {
    written = linkToLastWritten(record) ?? store.transaction(() => link(record))
    noteAppended()
    return written
  }

  /** Writes all or none; on failure, each must be retried separately. */
  const appendTogether = (records: readonly NewRecord[]): readonly ChainLink[] | undefined => {
    const before = written
    try {
      const links = store.transaction(() =>
        records.map((record) => (written = linkToLastWritten(record) ?? link(record))),
      )
      noteAppended()
      return links
    } catch {
      written = before
      return undefined
    }
  }

  let pending: PendingRecord[] = []
  /** Like `queueMicrotask`, but without an async context per call. */
  const resolved = Promise.resolve()
  const writePending = (): void => {
    const batch = pending
    pending = []
    const links = batch.length > 1 ? appendTogether(batch.map(({ record }) => record)) : undefined
    for (const [index, { record, resolve, reject }] of batch.entries()) {
      try {
        resolve(links?.[index] ?? append(record))
      } catch (error) {
        reject(error)
      }
    }
  }

  const eventRecord = (
    event: string,
    details: JsonObject,
    owner: Partial<Omit<Scope, 'tenant'>>,
  ): NewRecord => ({
    time: clock(),
    kind: 'event',
    tenant,
    project: '',
    session: '',
    agent: '',
    ...owner,
    user,
    event,
    details,
  })

  return {
    append,
    appendSoon: (record) =>
      new Promise((resolve, reject) => {
        if (pending.push({ record, resolve, reject }) === 1) void resolved.then(writePending)
      }),
    event: (name, details = {}, owner = {}) => append(eventRecord(name, details, owner)),
    prune(before) {
      const confirmStart = (details: JsonObject): ChainLink => link(eventRecord(prunedEvent, details, {}))
      const { removed, broken } = pruneChain({ store, sealer, confirmStart }, before)
      if (broken !== undefined) {
        const { seq, problem } = broken
        report('error', 'old audit records stay: the chain is broken', { first_bad: seq, problem })
      }
      if (removed > 0) flush()
      return removed
    },
    onAppended(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    flush,
  }
}

/** The chain's key, created together with the first head: a key without a head means that the head was deleted. */
function openKey({ store, keysDir, headFile }: AuditFiles): Buffer {
  const path = join(keysDir, 'audit.key')
  return (
    readKey(path) ??
    store.transaction(() => {
      const existing = readKey(path)
      if (existing !== undefined) return existing
      if (store.prepare(tailSql).get() !== undefined) {
        const cause = `the store holds audit records, and their key ${path} is missing`
        const hint = 'Put the key back, or move the store aside to begin a new chain.'
        throw new ContextdError('STORE_UNAVAILABLE', { cause, hint })
      }
      const key = randomBytes(32)
      writeHead(headFile, createSealer(key), genesis)
      return createKey(path, key)
    })
  )
}
