import { randomBytes } from 'node:crypto'
import { join } from 'node:path'

import type { Scope } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Clock } from '../../core/ports.ts'
import { createKey, readKey } from '../../platform/secrets/keys.ts'
import type { Log } from '../../platform/log.ts'
import type { Store } from '../../platform/storage/store.ts'
import { createSealer, genesis, type ChainLink } from './chain.ts'
import { createChainWriter } from './chain-writer.ts'
import { writeHead } from './head.ts'
import { batchAppends } from './pending-records.ts'
import type { NewRecord } from './record.ts'
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

const headDelayMs = 1000

export function createAuditLog(options: AuditLogOptions): AuditLog {
  const { store, headFile, clock, tenant, user, report } = options
  const sealer = createSealer(openKey(options))
  const writer = createChainWriter(store, sealer, headFile)
  const listeners = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined

  const flush = (): void => {
    clearTimeout(timer)
    timer = undefined
    try {
      writer.updateHead()
    } catch (error) {
      report('error', 'the audit head file was not brought up to date', { cause: (error as Error).message })
    }
  }

  const noteAppended = (): void => {
    timer ??= setTimeout(flush, headDelayMs).unref()
    for (const listener of listeners) listener()
  }

  const append = (record: NewRecord): ChainLink => {
    const link = writer.append(record)
    noteAppended()
    return link
  }

  const appendAll = (records: readonly NewRecord[]): readonly ChainLink[] | undefined => {
    const links = writer.appendAll(records)
    if (links !== undefined) noteAppended()
    return links
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
    appendSoon: batchAppends({ append, appendAll }),
    event: (name, details = {}, owner = {}) => append(eventRecord(name, details, owner)),
    prune(before) {
      const confirmStart = (details: JsonObject): void =>
        void writer.appendWithin(eventRecord(prunedEvent, details, {}))
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
      if (store.prepare('SELECT seq FROM audit LIMIT 1').get() !== undefined) {
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
