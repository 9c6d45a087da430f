/** How much of an archive is looked at: a small file may claim to hold more than any machine can. */

import type { Chunks } from './chunks.ts'

export interface ArchiveEntry {
  readonly name: string
  /** To be read before the next entry is asked for. */
  readonly chunks: AsyncIterable<Uint8Array>
}

/** An archive that is not what it should be; the message says how. */
export class BrokenArchive extends Error {
  override name = 'BrokenArchive'
}

export interface ArchiveBounds {
  /** Whether one more entry may be opened. */
  admitEntry(): boolean
  /** As much of the bytes as may still be looked at. */
  admit(bytes: Uint8Array): Uint8Array
  /** What was reached, in words. */
  reached(): string | undefined
}

const maxEntries = 10_000
const maxInflatedBytes = 64 * 1_048_576
const highestRatio = 200
/** Below this, the ratio says nothing. */
const alwaysFine = 1_048_576

/** Of an archive of `size` bytes. What is stored as it is fits always; what is inflated, within reason. */
export function createArchiveBounds(size: number): ArchiveBounds {
  const inflated = Math.min(maxInflatedBytes, alwaysFine + highestRatio * size)
  let entries = maxEntries
  let bytes = Math.max(size, inflated)
  let reached: string | undefined
  return {
    admitEntry() {
      if (entries === 0) reached ??= `it holds more than ${maxEntries.toLocaleString('en')} entries`
      return reached === undefined && entries-- > 0
    },
    admit(chunk) {
      if (chunk.length > bytes) {
        const byRatio = inflated < maxInflatedBytes && size < inflated
        reached ??= byRatio
          ? `it inflates to more than ${highestRatio} times its size`
          : 'it holds more than 64 MB'
      }
      const fitting = chunk.subarray(0, bytes)
      bytes -= fitting.length
      return fitting
    },
    reached: () => reached,
  }
}

/** The chunks, as far as the bounds admit them. */
export async function* withinBounds(chunks: Chunks, bounds: ArchiveBounds): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    const fitting = bounds.admit(chunk)
    if (fitting.length > 0) yield fitting
    if (bounds.reached() !== undefined) return
  }
}
