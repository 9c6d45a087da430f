import { randomBytes } from 'node:crypto'

import type { Scope } from '../../core/call.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock, CountTokens, Refs, RefSlice } from '../../core/ports.ts'
import { purgeRefs, readRefBody } from '../../platform/storage/ref-bodies.ts'
import type { Store } from '../../platform/storage/store.ts'
import { borderBefore, firstCharacterEnd } from './text-border.ts'
import { headWithin } from './truncate.ts'

export interface RefsOptions {
  readonly store: Store
  readonly clock: Clock
  readonly ttlMs: number
  readonly count: CountTokens
  /** Must return 22 unguessable base64url characters. */
  readonly randomId?: () => string
}

const refPattern = /^ref_[A-Za-z0-9_-]{22}$/

/** Interval of deleting expired refs, and how long an owner gets "expired" instead of "not found". */
const purgeEveryMs = 10 * 60_000
const expiredRefTtlMs = 24 * 3_600_000

/** Text behind refs, in SQLite. To anyone but its owner, a ref looks nonexistent. */
export function createRefs({ store, clock, ttlMs, count, randomId = newId }: RefsOptions): Refs {
  let nextPurge = 0

  const fetch = (scope: Scope, ref: string, offset: number, length: number) => {
    const found = refPattern.test(ref) ? readRefBody(store, scope, ref, { offset, length }) : undefined
    if (found === undefined) throw new ContextdError('REF_NOT_FOUND')
    if (found.expiresAt > clock()) return found
    store.rows('refs', scope).update({ body: new Uint8Array() }, { id: ref })
    throw new ContextdError('REF_EXPIRED')
  }

  return {
    save(scope, text) {
      const now = clock()
      if (now >= nextPurge) {
        purgeRefs(store, { expiredAt: now, forgottenAt: now - expiredRefTtlMs })
        nextPurge = now + purgeEveryMs
      }
      const id = `ref_${randomId()}`
      const body = Buffer.from(text)
      const { branch = '' } = scope
      store.rows('refs', scope).insert({ id, branch, body, created_at: now, expires_at: now + ttlMs })
      return id
    },
    read: (scope, ref, offset, maxTokens) =>
      sliceOf((from, length) => fetch(scope, ref, from, length), offset, maxTokens, count),
  }
}

function newId(): string {
  return randomBytes(16).toString('base64url')
}

interface Part {
  readonly bytes: Uint8Array
  readonly total: number
}

/** Min bytes to read, and initial and max bytes per token of the slice. */
const minBytes = 1024
const firstBytesPerToken = 5
const maxBytesPerToken = 64
/** How much text after a cut must be known to avoid splitting something. */
const lookahead = 64

/** As much as fits from `offset` on, but never nothing. Reads more only while everything read so far fits. */
function sliceOf(
  fetch: (from: number, length: number) => Part,
  offset: number,
  maxTokens: number,
  count: CountTokens,
): RefSlice {
  const maxBytes = Math.max(minBytes, maxTokens * maxBytesPerToken)
  for (
    let length = Math.max(minBytes, maxTokens * firstBytesPerToken);
    ;
    length = Math.min(length * 2, maxBytes)
  ) {
    // An arbitrary offset may point into a character, whose first byte is at most three bytes before.
    const from = Math.max(0, offset - 3)
    const { bytes, total } = fetch(from, length + 3)
    if (offset >= total) return { text: '', total }
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const start = characterStart(buffer, offset - from)
    const isLast = from + buffer.length >= total
    const text = buffer.toString(
      'utf8',
      start,
      isLast ? buffer.length : characterStart(buffer, buffer.length - 1),
    )

    let end = headWithin(text, maxTokens, count)
    const knownEnd = isLast ? text.length : text.length - lookahead
    if (end > knownEnd) {
      if (length < maxBytes) continue
      end = borderBefore(text, knownEnd, Math.floor((knownEnd * 3) / 4))
    }
    if (end === 0) end = firstCharacterEnd(text)
    const next = from + start + Buffer.byteLength(text.slice(0, end))
    return { text: text.slice(0, end), total, ...(next < total && { next }) }
  }
}

/** The start of the UTF-8 character that contains the byte at `at`. */
function characterStart(buffer: Buffer, at: number): number {
  let start = at
  while (start > 0 && ((buffer[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
