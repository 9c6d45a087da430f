import type { JsonObject } from '../../core/json.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { genesis, walkChain, type Link, type Sealer } from './chain.ts'
import { toRecord } from './record.ts'

/** The event that vouches for a start later than the first record. */
export const prunedEvent = 'audit.pruned'

/** Records removed in one transaction: other writers wait no longer than that takes. */
const chunkRecords = 2000

/** Where the table must begin: after what the last pruning removed. */
export function chainStart(store: Store): Link {
  const row = store.prepare('SELECT * FROM audit WHERE event = ? ORDER BY seq DESC LIMIT 1').get(prunedEvent)
  if (row === undefined) return genesis
  const { through, hash } = readDetails(row)
  // Not written by us: following the chain from its very beginning shows where.
  if (typeof through !== 'number' || typeof hash !== 'string') return genesis
  return { seq: through, hash: Buffer.from(hash, 'hex') }
}

function readDetails(row: SqlRow): JsonObject {
  try {
    return toRecord(row).details ?? {}
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

/**
 * Removes the records older than `before` from the start of the chain. What goes is checked once more, and
 * the event says where it did not hold: pruning must not wash away the traces of a manipulation.
 */
export function pruneChain(pruning: Pruning, before: number): number {
  const { store } = pruning
  const newer = store.prepare('SELECT seq FROM audit WHERE time >= ? ORDER BY seq LIMIT 1').get(before)
  const newest = store.prepare('SELECT max(seq) AS seq FROM audit').get()
  // Fixed before the first event is appended, which might be old enough to be pruned itself.
  const limit = newer === undefined ? Number(newest?.seq) : Number(newer.seq) - 1
  let removed = 0
  for (;;) {
    const records = store.transaction(() => pruneChunk(pruning, limit))
    if (records === 0) return removed
    removed += records
  }
}

function pruneChunk({ store, sealer, vouch }: Pruning, limit: number): number {
  const chunk = 'SELECT seq FROM audit WHERE seq <= ? ORDER BY seq LIMIT ?'
  const found = store.prepare(`SELECT max(seq) AS through, count(*) AS records FROM (${chunk})`)
  const { through = null, records = 0 } = found.get(limit, chunkRecords) ?? {}
  if (through === null) return 0

  const rows = store.iterate('SELECT * FROM audit WHERE seq <= ? ORDER BY seq', through)
  const { broken } = walkChain(rows, chainStart(store), sealer)
  const last = store.prepare('SELECT hash FROM audit WHERE seq = ?').get(through)
  vouch({
    through: Number(through),
    hash: Buffer.from(last?.hash as Uint8Array).toString('hex'),
    records: Number(records),
    ...(broken !== undefined && { first_bad: broken.seq }),
  })
  store.prepare('DELETE FROM audit WHERE seq <= ?').run(through)
  return Number(records)
}
