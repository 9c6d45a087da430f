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
  /** 22 characters of base64url that nobody can guess. */
  readonly randomId?: () => string
}

const refPattern = /^ref_[A-Za-z0-9_-]{22}$/

/** How often old refs are looked for, and how long an owner hears "expired" instead of "not found". */
const purgeEveryMs = 10 * 60_000
const rememberMs = 24 * 3_600_000

/** Text behind refs, in SQLite. Whoever does not own a ref cannot tell it from one that never was. */
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
        purgeRefs(store, { expiredAt: now, forgottenAt: now - rememberMs })
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

/** Bytes read at least, and per token of the slice at first and at most. */
const minBytes = 1024
const firstBytesPerToken = 5
const maxBytesPerToken = 64
/** What must be known of the text behind a cut, to see what the cut would split. */
const lookAhead = 64

/** As much as fits from `offset` on, but always something. Reads more only while what it has fits. */
function sliceOf(
  fetch: (from: number, length: number) => Part,
  offset: number,
  maxTokens: number,
  count: CountTokens,
): RefSlice {
  const most = Math.max(minBytes, maxTokens * maxBytesPerToken)
  for (
    let length = Math.max(minBytes, maxTokens * firstBytesPerToken);
    ;
    length = Math.min(length * 2, most)
  ) {
    // An offset that somebody made up may point into a character: its first byte is at most three back.
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
    const known = isLast ? text.length : text.length - lookAhead
    if (end > known) {
      if (length < most) continue
      end = borderBefore(text, known, Math.floor((known * 3) / 4))
    }
    if (end === 0) end = firstCharacterEnd(text)
    const next = from + start + Buffer.byteLength(text.slice(0, end))
    return { text: text.slice(0, end), total, ...(next < total && { next }) }
  }
}

/** The start of the UTF-8 character that the byte at `at` belongs to. */
function characterStart(buffer: Buffer, at: number): number {
  let start = at
  while (start > 0 && ((buffer[start] ?? 0) & 0xc0) === 0x80) start -= 1
  return start
}
