/**
 * The printable parts of a binary, as text of the same length, so that offsets are the same in both. A part ends with a
 * separator and line breaks, so that separate parts of the file do not run together.
 */

export interface StringsReader {
  push(bytes: Uint8Array): string
  end(): string
}

/** Shorter runs are chance, and too short for a secret. */
const minLength = 8
/** A longer run is split into pieces, without loss. */
const maxHeldLength = 65_536
const lineBreak = 10
/** More than a line break: folded text is read across those. */
const separator = 0x1e

export function createStringsReader(): StringsReader {
  let held: Uint8Array = new Uint8Array(0)
  return {
    push(bytes) {
      const given = held.length === 0 ? bytes : Buffer.concat([held, bytes])
      const whole = given.length - unfinished(given)
      // Copied: the caller may reuse the buffer.
      held = given.slice(whole)
      return readable(given.subarray(0, whole))
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
    // Two-byte characters are compacted; the space they leave stays empty.
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

/** How many bytes at the end may belong to an unfinished run. */
function unfinished(bytes: Uint8Array): number {
  let count = 0
  while (count < Math.min(bytes.length, maxHeldLength)) {
    const at = bytes.length - 1 - count
    if (!isPrintable(bytes[at]) && !(bytes[at] === 0 && isPrintable(bytes[at - 1]))) break
    count++
  }
  return count === maxHeldLength ? 0 : count
}
