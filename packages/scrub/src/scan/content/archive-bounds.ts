/** Bounds on how much of an archive is read: a small file may claim to contain more than fits in memory. */

import type { Chunks } from '@contextd/shared/archives/chunks'

export interface ArchiveBounds {
  /** Whether another entry may be read. */
  admitEntry(): boolean
  /** The part of the bytes that may still be read. */
  admit(bytes: Uint8Array): Uint8Array
  /** The limit that was reached, for a message. */
  reached(): string | undefined
}

const maxEntries = 10_000
const maxInflatedBytes = 64 * 1_048_576
const maxRatio = 200
/** No ratio is suspicious below this size. */
const ratioExemptBytes = 1_048_576

/** For an archive of `size` bytes. Uncompressed entries always fit. */
export function createArchiveBounds(size: number): ArchiveBounds {
  const inflated = Math.min(maxInflatedBytes, ratioExemptBytes + maxRatio * size)
  let entries = maxEntries
  let bytes = Math.max(size, inflated)
  let reached: string | undefined
  return {
    admitEntry() {
      if (entries === 0) reached ??= `it contains more than ${maxEntries.toLocaleString('en')} entries`
      return reached === undefined && entries-- > 0
    },
    admit(chunk) {
      if (chunk.length > bytes) {
        const byRatio = inflated < maxInflatedBytes && size < inflated
        reached ??= byRatio
          ? `it inflates to more than ${maxRatio} times its size`
          : 'it contains more than 64 MB'
      }
      const fitting = chunk.subarray(0, bytes)
      bytes -= fitting.length
      return fitting
    },
    reached: () => reached,
  }
}

/** Ends early when a limit is reached. */
export async function* withinBounds(chunks: Chunks, bounds: ArchiveBounds): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const fitting = bounds.admit(chunk)
    if (fitting.length > 0) yield fitting
    if (bounds.reached() !== undefined) return
  }
}
