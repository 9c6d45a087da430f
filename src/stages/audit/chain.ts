import { createHmac, hash } from 'node:crypto'

import type { SqlRow } from '../../platform/storage/sqlite.ts'
import { canonicalText, valuesOf } from './record.ts'

/** A position in the chain. */
export interface ChainLink {
  readonly seq: number
  readonly hash: Uint8Array
}

/** The link before the first record. */
export const genesis: ChainLink = { seq: 0, hash: new Uint8Array(32) }

/** Creates seals, which requires the key. */
export interface Sealer {
  /** The seal of a record, given the previous record's seal. */
  record(previous: Uint8Array, text: string): Buffer
  head(text: string): Buffer
}

export function createSealer(key: Buffer): Sealer {
  // A separate key per purpose, so that a seal of one kind is never valid for the other.
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
/** Size of a text that almost no record exceeds. */
const normalBytes = 16_384

/**
 * HMAC-SHA-256 of the previous seal and the text. Implemented directly for records of normal size, because every call
 * waits for two of them, and creating an Hmac object in Node takes longer than the hashing itself.
 */
function recordSeal(key: Buffer): Sealer['record'] {
  const padded = (pad: number, extraBytes: number): Buffer => {
    const bytes = Buffer.alloc(blockBytes + extraBytes)
    for (let at = 0; at < blockBytes; at++) bytes[at] = (key[at] ?? 0) ^ pad
    return bytes
  }
  const textAt = blockBytes + hashBytes
  const inner = padded(0x36, hashBytes + normalBytes)
  const outer = padded(0x5c, hashBytes)
  return (previous, text) => {
    // A UTF-16 unit takes at most three bytes. A seal of another length is not ours.
    if (3 * text.length > normalBytes || previous.length !== hashBytes) {
      return createHmac('sha256', key).update(previous).update(text).digest()
    }
    inner.set(previous, blockBytes)
    const end = textAt + inner.write(text, textAt)
    outer.set(hash('sha256', inner.subarray(0, end), 'buffer'), blockBytes)
    return hash('sha256', outer, 'buffer')
  }
}

export interface ChainWalk {
  /** The last valid record. */
  readonly last: ChainLink
  readonly records: number
  readonly broken?: { readonly seq: number; readonly problem: string }
}

/** Walks the records from `start` and stops at the first invalid one. */
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
          : broken(seq, 'the record is before the start of the chain')
      }
      const hash = sealer.record(last.hash, canonicalText(valuesOf(row)))
      if (!(row.hash instanceof Uint8Array && hash.equals(row.hash))) {
        return broken(seq, 'the record was changed, moved or inserted')
      }
      last = { seq, hash }
      records++
      onRecord?.(row, records)
    }
  } catch (error) {
    // A number that none of our records can contain.
    if (error instanceof RangeError) return broken(last.seq + 1, 'the record cannot be read')
    throw error
  }
  return { last, records }
}
