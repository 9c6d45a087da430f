import { join } from 'node:path'

import { readKey } from '../../platform/secrets/keys.ts'
import { changedAuditObjects, type SchemaObject } from '../../platform/storage/audit-schema.ts'
import { createSealer, walkChain, type ChainLink } from './chain.ts'
import { readAuditHead, type HeadRead } from './head.ts'
import type { AuditFiles } from './log.ts'
import { chainStart } from './retention.ts'

export interface Verification {
  readonly ok: boolean
  /** The number of valid records before the first invalid one. */
  readonly records: number
  readonly first_bad: number | null
  readonly problem?: string
  /** The newest valid record, to be stored elsewhere: a later forgery of the chain cannot change that copy. */
  readonly head?: { readonly seq: number; readonly hash: string }
}

export interface VerifyOptions {
  readonly onProgress?: (records: number) => void
  /** Records between two reports. */
  readonly every?: number
}

/**
 * Verifies the whole chain, compares its end with the head file, and checks for schema objects that could suppress
 * records.
 */
export function verifyAudit(files: AuditFiles, options: VerifyOptions = {}): Verification {
  const changed = changedAuditObjects(files.store)
  const table = changed.find(({ type, name }) => type === 'table' && name === 'audit')
  // An unknown table cannot be read.
  if (table !== undefined) return failed(0, 1, schemaProblem(table))
  const verdict = verifyChain(files, options)
  const [other] = changed
  if (!verdict.ok || other === undefined) return verdict
  return failed(verdict.records, (verdict.head?.seq ?? 0) + 1, schemaProblem(other))
}

function failed(records: number, seq: number, problem: string): Verification {
  return { ok: false, records, first_bad: seq, problem }
}

function schemaProblem({ type, name }: SchemaObject): string {
  return `the ${type} ${JSON.stringify(name)} was added, changed or removed`
}

function verifyChain(
  { store, keysDir, headFile }: AuditFiles,
  { onProgress, every = 10_000 }: VerifyOptions,
): Verification {
  const keyFile = join(keysDir, 'audit.key')
  const key = readKey(keyFile)
  if (key === undefined) {
    const first = store.prepare('SELECT min(seq) AS seq FROM audit').get()?.seq ?? null
    if (first === null) return { ok: true, records: 0, first_bad: null }
    return failed(0, Number(first), `the key ${keyFile} is missing`)
  }

  const sealer = createSealer(key)
  // Read before the table, so that the record it names is in the snapshot that follows.
  const head = readAuditHead(headFile, sealer)
  let sealAtHead: Uint8Array | undefined
  // In one snapshot: pruning between the two reads would look like tampering.
  const { last, records, broken } = store.snapshot(() => {
    const start = chainStart(store)
    const rows = store.iterate('SELECT * FROM audit ORDER BY seq')
    return walkChain(rows, start, sealer, (row, count) => {
      if (head.kind === 'head' && row.seq === head.link.seq) sealAtHead = row.hash as Uint8Array
      if (count % every === 0) onProgress?.(count)
    })
  })
  if (broken !== undefined) return failed(records, broken.seq, broken.problem)
  const bad = headProblem(head, last, sealAtHead)
  if (bad !== undefined) return failed(records, bad.seq, bad.problem)
  const newest = { seq: last.seq, hash: Buffer.from(last.hash).toString('hex') }
  return { ok: true, records, first_bad: null, ...(records > 0 && { head: newest }) }
}

/** `named`: the seal of the record with the head's number; absent if it was pruned. */
function headProblem(
  head: HeadRead,
  last: ChainLink,
  sealAtHead: Uint8Array | undefined,
): { seq: number; problem: string } | undefined {
  if (head.kind === 'bad') return { seq: last.seq + 1, problem: head.problem }
  const { seq, hash } = head.link
  if (seq > last.seq)
    return { seq: last.seq + 1, problem: `the tail is missing: the head file names record ${seq}` }
  if (sealAtHead !== undefined && !Buffer.from(hash).equals(sealAtHead)) {
    return { seq, problem: 'the head file names another record of this number' }
  }
  return undefined
}
