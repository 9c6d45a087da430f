/**
 * The head file contains the last record's link, outside of the database: truncating the chain requires forging it
 * too. It may lag behind the table, but is never ahead of it.
 */

import { timingSafeEqual } from 'node:crypto'

import { readSmallFile, replaceFile } from '@contextd/shared/files/small-file'
import type { ChainLink, Sealer } from './chain.ts'

export type HeadRead =
  | { readonly kind: 'head'; readonly link: ChainLink }
  | { readonly kind: 'bad'; readonly problem: string }

export function readAuditHead(path: string, sealer: Sealer): HeadRead {
  const file = readSmallFile(path)
  if (file.kind === 'missing') return { kind: 'bad', problem: 'the head file is missing' }
  if (file.kind === 'unreadable') return { kind: 'bad', problem: `the head file ${file.why}` }
  const [seq = '', hash = '', seal = ''] = file.bytes.toString('latin1').trimEnd().split(' ')
  const expected = sealer.head(`${seq} ${hash}`)
  const found = Buffer.from(seal, 'hex')
  if (found.length !== expected.length || !timingSafeEqual(found, expected)) {
    return { kind: 'bad', problem: 'the head file was changed' }
  }
  return { kind: 'head', link: { seq: Number(seq), hash: Buffer.from(hash, 'hex') } }
}

export function writeHead(path: string, sealer: Sealer, { seq, hash }: ChainLink): void {
  const text = `${seq} ${Buffer.from(hash).toString('hex')}`
  replaceFile(path, `${text} ${sealer.head(text).toString('hex')}\n`)
}
