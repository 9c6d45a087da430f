/** Appends sealed records to the chain of a store, and updates the head file. */

import { ContextdError } from '../../core/errors/errors.ts'
import type { SqlValue } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import { auditColumns } from '../../platform/storage/tables.ts'
import { genesis, type ChainLink, type Sealer } from './chain.ts'
import { readAuditHead, writeHead } from './head.ts'
import { canonicalText, toValues, type NewRecord } from './record.ts'

export interface ChainWriter {
  /** Throws if the record cannot be written. */
  append(record: NewRecord): ChainLink
  /** Appends all or none; undefined if it failed, and then each must be retried separately. */
  appendAll(records: readonly NewRecord[]): readonly ChainLink[] | undefined
  /** The same as `append`, inside the caller's transaction. */
  appendWithin(record: NewRecord): ChainLink
  /** Throws if the head file does not match the chain. */
  updateHead(): void
}

const columns = [...auditColumns, 'hash']
const values = `(${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`
const insertSql = `INSERT INTO audit ${values}`
/** Does nothing if a record with that number exists. */
const insertNextSql = `INSERT OR IGNORE INTO audit ${values}`
const tailSql = 'SELECT seq, hash FROM audit ORDER BY seq DESC LIMIT 1'
const hashSql = 'SELECT hash FROM audit WHERE seq = ?'

export function createChainWriter(store: Store, sealer: Sealer, headFile: string): ChainWriter {
  const insert = store.prepare(insertSql)
  const insertNext = store.prepare(insertNextSql)
  const tail = store.prepare(tailSql)
  let head = readAuditHead(headFile, sealer)
  /** The last link that this process wrote. */
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
  const appendWithin = (record: NewRecord): ChainLink => {
    const sealed = seal(lastLink(), record)
    if (Number(insert.run(...sealed.values).changes) !== 1) {
      const cause = 'the audit table rejected a record: something was added to the table'
      const hint = 'Run `ctxd audit verify`, which names it.'
      throw new ContextdError('STORE_UNAVAILABLE', { cause, hint })
    }
    return sealed.link
  }

  /** One statement instead of four if no other process has written since we did, which is almost always the case. */
  const appendToWritten = (record: NewRecord): ChainLink | undefined => {
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

  return {
    append: (record) => (written = appendToWritten(record) ?? store.transaction(() => appendWithin(record))),
    appendAll(records) {
      const before = written
      try {
        return store.transaction(() =>
          records.map((record) => (written = appendToWritten(record) ?? appendWithin(record))),
        )
      } catch {
        written = before
        return undefined
      }
    },
    appendWithin,
    // Under the write lock, so that the process with the later record wins.
    updateHead: () => store.transaction(advanceHead),
  }
}
