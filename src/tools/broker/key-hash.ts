/** Keys as they may be written down: a keyed hash, the same in records and in `ctxd context list`. */

import { createHmac, timingSafeEqual } from 'node:crypto'

import type { JsonObject } from '@contextd/shared/json/value'

export function hashOfKey(key: string, hashKey: Buffer): Buffer {
  return createHmac('sha256', hashKey).update(key).digest()
}

/** `hash:5f0c2a5e6f3b9d1e`: enough to tell keys apart, and nothing to find one by. */
export function recordOfHash(hash: Buffer): string {
  return `hash:${hash.toString('hex', 0, 8)}`
}

/**
 * A key in the wrong field, or under a wrong name, is no less a key: of all else only the number is told. The hash does not
 * stand under `key`, where the scrubber would take it for one.
 */
export function argumentsForRecord({ key, ...others }: JsonObject, hashKey: Buffer): JsonObject {
  const count = Object.keys(others).length
  return {
    ...(key !== undefined && {
      context: typeof key === 'string' ? recordOfHash(hashOfKey(key, hashKey)) : '(not text)',
    }),
    ...(count > 0 && { other_fields: count }),
  }
}

/** Looks at every entry, wherever the right one stands: how long it takes says nothing about a wrong key. */
export function findByHash<Entry extends { readonly key: string }>(
  entries: readonly Entry[],
  wanted: Buffer,
  hashKey: Buffer,
): Entry | undefined {
  let found: Entry | undefined
  for (const entry of entries) {
    if (timingSafeEqual(hashOfKey(entry.key, hashKey), wanted)) found = entry
  }
  return found
}
