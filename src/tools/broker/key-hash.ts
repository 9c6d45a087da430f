/** Keys as they may be stored: a keyed hash, the same in records and in `ctxd context list`. */

import { createHmac, timingSafeEqual } from 'node:crypto'

import type { JsonObject } from '@contextd/shared/json/value'

export function hashOfKey(key: string, hashKey: Buffer): Buffer {
  return createHmac('sha256', hashKey).update(key).digest()
}

/** `hash:5f0c2a5e6f3b9d1e`: enough to distinguish keys, too little to recover one. */
export function recordOfHash(hash: Buffer): string {
  return `hash:${hash.toString('hex', 0, 8)}`
}

/**
 * A key in the wrong argument is still a key, so of all other arguments only the count is recorded. The hash is not
 * recorded as `key`, which the scrubber would mask.
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

/** Compares every entry, so that the time taken reveals nothing about a wrong key. */
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
