/**
 * Extracts the printable strings of a binary as text of the same length, so that offsets match. Each string ends with a
 * separator and line breaks, so that neighbouring strings are not read as one.
 */

export interface StringsReader {
  push(bytes: Uint8Array): string
  end(): string
}

/** Shorter runs are coincidence, and too short for a secret. */
const minLength = 8
/** A longer run is split into pieces, without loss. */
const maxHeldLength = 65_536
const lineBreak = 10
/** A line break would not do: decoders join wrapped lines. */
const separator = 0x1e

export function createStringsReader(): StringsReader {
  let held: Uint8Array = new Uint8Array(0)
  return {
    push(bytes) {
      const input = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const complete = input.length - unfinishedLength(input)
      // Copied: the caller may reuse the buffer.
      held = input.slice(complete)
      return readable(input.subarray(0, complete))
    },
    end() {
      const last = readable(held)
      held = new Uint8Array(0)
      return last
    },
  }
}

function isPrintable(byte: number | undefined): boolean {
  return byte !== undefined && ((byte >= 32 && byte < 127) || byte === 9)
}

function readable(bytes: Uint8Array): string {
  const text = Buffer.alloc(bytes.length, lineBreak)
  for (let at = 0; at < bytes.length;) {
    if (!isPrintable(bytes[at])) {
      at++
      continue
    }
    let end = at
    while (isPrintable(bytes[end])) end++
    if (end - at >= minLength) {
      text.set(bytes.subarray(at, end), at)
      if (end < bytes.length && bytes[end] !== lineBreak) text[end] = separator
      at = end
      continue
    }
    const wideEnd = endOfWide(bytes, at)
    // UTF-16 characters are compacted; the space left over stays blank.
    if (wideEnd - at >= minLength * 2) {
      let to = at
      for (let from = at; from < wideEnd; from += 2) text[to++] = bytes[from]!
      text[to] = separator
    }
    at = Math.max(end, wideEnd)
  }
  return text.toString('latin1')
}

function endOfWide(bytes: Uint8Array, start: number): number {
  let end = start
  while (isPrintable(bytes[end]) && bytes[end + 1] === 0) end += 2
  return end
}

/** How many trailing bytes may belong to an unfinished run. */
function unfinishedLength(bytes: Uint8Array): number {
  let count = 0
  while (count < Math.min(bytes.length, maxHeldLength)) {
    const at = bytes.length - 1 - count
    if (!isPrintable(bytes[at]) && !(bytes[at] === 0 && isPrintable(bytes[at - 1]))) break
    count++
  }
  return count === maxHeldLength ? 0 : count
}
