import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { genesis, walkChain, type ChainLink, type Sealer, type ChainWalk } from './chain.ts'

/** The event that confirms a chain start later than the first record. */
export const prunedEvent = 'audit.pruned'

/** Records deleted per transaction, which other writers must wait for. */
const chunkRecords = 2000

/** Where the chain must start: after what the last pruning removed. */
export function chainStart(store: Store): ChainLink {
  // Reads only the details, because another column may contain an unreadable number.
  const row = store
    .prepare('SELECT details FROM audit WHERE event = ? ORDER BY seq DESC LIMIT 1')
    .get(prunedEvent)
  if (row === undefined) return genesis
  const { through, hash } = readDetails(row)
  // Not written by us: walking the chain from its very beginning will reveal where.
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
  /** Appends the event inside the transaction. */
  readonly confirmStart: (details: JsonObject) => void
}

export interface Pruned {
  readonly removed: number
  /** Set if it stopped at an invalid record. */
  readonly broken?: ChainWalk['broken']
}

/**
 * Deletes the records older than `before` from the start of the chain. They are verified first, and everything from
 * the first invalid record on stays: pruning must not destroy evidence of tampering.
 */
export function pruneChain(pruning: Pruning, before: number): Pruned {
  const { store } = pruning
  const newer = store.prepare('SELECT seq FROM audit WHERE time >= ? ORDER BY seq LIMIT 1').get(before)
  const newest = store.prepare('SELECT max(seq) AS seq FROM audit').get()
  // Determined before the first event is appended, which might be old enough to be pruned itself.
  const limit = newer === undefined ? Number(newest?.seq) : Number(newer.seq) - 1
  let removed = 0
  for (;;) {
    const { records, broken } = store.transaction(() => pruneChunk(pruning, limit))
    removed += records
    if (broken !== undefined) return { removed, broken }
    if (records === 0) return { removed }
  }
}

function pruneChunk({ store, sealer, confirmStart }: Pruning, limit: number): ChainWalk {
  const rows = store.iterate('SELECT * FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?', limit, chunkRecords)
  const walk = walkChain(rows, chainStart(store), sealer)
  const { last, records } = walk
  if (records > 0) {
    confirmStart({ through: last.seq, hash: Buffer.from(last.hash).toString('hex'), records })
    store.prepare('DELETE FROM audit WHERE seq <= ?').run(last.seq)
  }
  return walk
}
