import { createHmac, hash } from 'node:crypto'

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { canonicalText, valuesOf } from './record.ts'

/** A place in the chain. */
export interface ChainLink {
  readonly seq: number
  readonly hash: Uint8Array
}

/** What the first record is chained to. */
export const genesis: ChainLink = { seq: 0, hash: new Uint8Array(32) }

/** Makes the seals that only a holder of the key can make. */
export interface Sealer {
  /** The seal of a record, given the seal of the one before it. */
  record(previous: Uint8Array, text: string): Buffer
  head(text: string): Buffer
}

export function createSealer(key: Buffer): Sealer {
  // A key for each purpose: a seal of one kind never passes for one of the other.
  const derive = (purpose: string): Buffer =>
    createHmac('sha256', key).update(`contextd audit ${purpose}`).digest()
  const headKey = derive('head')
  return {
    record: recordSeal(derive('record')),
    head: (text) => createHmac('sha256', headKey).update(text).digest(),
  }
}

const blockBytes = 64
const hashBytes = 32
/** Of a text that nearly every record stays below. */
const usualBytes = 16_384

/**
 * HMAC-SHA-256 of the previous seal and the text. Written out for the usual record, because two of them stand in the way
 * of every call and Node takes longer to make an Hmac object than to hash what goes in.
 */
function recordSeal(key: Buffer): Sealer['record'] {
  const padded = (pad: number, bytesBehind: number): Buffer => {
    const bytes = Buffer.alloc(blockBytes + bytesBehind)
    for (let at = 0; at < blockBytes; at++) bytes[at] = (key[at] ?? 0) ^ pad
    return bytes
  }
  const textAt = blockBytes + hashBytes
  const inner = padded(0x36, hashBytes + usualBytes)
  const outer = padded(0x5c, hashBytes)
  return (previous, text) => {
    // No unit of a text takes more than three bytes. A seal of another length is none of ours.
    if (3 * text.length > usualBytes || previous.length !== hashBytes) {
      return createHmac('sha256', key).update(previous).update(text).digest()
    }
    inner.set(previous, blockBytes)
    const end = textAt + inner.write(text, textAt)
    outer.set(hash('sha256', inner.subarray(0, end), 'buffer'), blockBytes)
    return hash('sha256', outer, 'buffer')
  }
}

export interface ChainWalk {
  /** The last record that holds. */
  readonly last: ChainLink
  readonly records: number
  readonly broken?: { readonly seq: number; readonly problem: string }
}

/** Follows the records from `start` on and stops at the first that does not hold. */
export function walkChain(
  rows: Iterable<SqlRow>,
  start: ChainLink,
  sealer: Sealer,
  onRecord?: (row: SqlRow, records: number) => void,
): ChainWalk {
  let last = start
  let records = 0
  const broken = (seq: number, problem: string): ChainWalk => ({ last, records, broken: { seq, problem } })
  try {
    for (const row of rows) {
      const seq = Number(row.seq)
      if (seq !== last.seq + 1) {
        return seq > last.seq
          ? broken(last.seq + 1, 'the record is missing')
          : broken(seq, 'the record lies before the start of the chain')
      }
      const hash = sealer.record(last.hash, canonicalText(valuesOf(row)))
      if (!(row.hash instanceof Uint8Array && hash.equals(row.hash))) {
        return broken(seq, 'the record was changed, moved or put in by another hand')
      }
      last = { seq, hash }
      records++
      onRecord?.(row, records)
    }
  } catch (error) {
    // A number that no record of ours can hold.
    if (error instanceof RangeError) return broken(last.seq + 1, 'the record cannot be read')
    throw error
  }
  return { last, records }
}
