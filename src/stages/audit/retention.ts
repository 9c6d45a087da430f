import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { genesis, walkChain, type ChainLink, type Sealer, type ChainWalk } from './chain.ts'

/** The event that vouches for a start later than the first record. */
export const prunedEvent = 'audit.pruned'

/** Records removed in one transaction: other writers wait no longer than that takes. */
const chunkRecords = 2000

/** Where the table must begin: after what the last pruning removed. */
export function chainStart(store: Store): ChainLink {
  // Nothing but the details: another column may hold a number that cannot be read.
  const row = store
    .prepare('SELECT details FROM audit WHERE event = ? ORDER BY seq DESC LIMIT 1')
    .get(prunedEvent)
  if (row === undefined) return genesis
  const { through, hash } = readDetails(row)
  // Not written by us: following the chain from its very beginning shows where.
  if (typeof through !== 'number' || typeof hash !== 'string') return genesis
  return { seq: through, hash: Buffer.from(hash, 'hex') }
}

function readDetails({ details = null }: SqlRow): JsonObject {
  try {
    const value: unknown = JSON.parse(String(details))
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

export interface Pruning {
  readonly store: Store
  readonly sealer: Sealer
  /** Appends the event, inside the transaction. */
  readonly vouch: (details: JsonObject) => void
}

export interface Pruned {
  readonly removed: number
  /** Where it stopped because the chain does not hold. */
  readonly broken?: ChainWalk['broken']
}

/**
 * Removes the records older than `before` from the start of the chain. What goes is checked once more, and
 * from the first record on that does not hold everything stays: pruning must not wash away the traces of a
 * manipulation.
 */
export function pruneChain(pruning: Pruning, before: number): Pruned {
  const { store } = pruning
  const newer = store.prepare('SELECT seq FROM audit WHERE time >= ? ORDER BY seq LIMIT 1').get(before)
  const newest = store.prepare('SELECT max(seq) AS seq FROM audit').get()
  // Fixed before the first event is appended, which might be old enough to be pruned itself.
  const limit = newer === undefined ? Number(newest?.seq) : Number(newer.seq) - 1
  let removed = 0
  for (;;) {
    const { records, broken } = store.transaction(() => pruneChunk(pruning, limit))
    removed += records
    if (broken !== undefined) return { removed, broken }
    if (records === 0) return { removed }
  }
}

function pruneChunk({ store, sealer, vouch }: Pruning, limit: number): ChainWalk {
  const rows = store.iterate('SELECT * FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?', limit, chunkRecords)
  const walk = walkChain(rows, chainStart(store), sealer)
  const { last, records } = walk
  if (records > 0) {
    vouch({ through: last.seq, hash: Buffer.from(last.hash).toString('hex'), records })
    store.prepare('DELETE FROM audit WHERE seq <= ?').run(last.seq)
  }
  return walk
}
