import { blankBit, classBits, digitBit, otherCharacter, skipBlanks } from './source.ts'

/** Line prefixes of diffs, quotes, comments and tables. */
const markers = new Uint8Array(256)
for (const marker of '+->|#*/;!%:') markers[marker.charCodeAt(0)] = 1

const slash = 0x2f
const maxDigits = 9

/**
 * Where the content of a line starts, after the prefix it shares with the previous line: indentation, consecutive line
 * numbers, and the markers of quotes, diffs, comments and tables. `before` and `line` are the starts of the two lines.
 */
export function contentStart(bytes: Uint8Array, before: number, line: number): number {
  let above = skipBlanks(bytes, before)
  let at = skipBlanks(bytes, line)
  const afterNumber = numberEnd(bytes, at)
  if (afterNumber > 0) {
    const aboveNumber = numberEnd(bytes, above)
    if (aboveNumber > 0 && numberAt(bytes, at) === numberAt(bytes, above) + 1) {
      above = skipBlanks(bytes, aboveNumber)
      at = skipBlanks(bytes, afterNumber)
    }
  }
  while (markers[bytes[at]!] === 1 && bytes[at] === bytes[above]) {
    // A comment has two slashes; a single one belongs to the content.
    if (bytes[at] === slash && bytes[at + 1] !== slash && bytes[at - 1] !== slash) break
    at = skipBlanks(bytes, at + 1)
    above = skipBlanks(bytes, above + 1)
  }
  return at
}

/** An upper bound for `contentStart` that does not depend on the previous line. */
export function withoutPrefix(bytes: Uint8Array, line: number): number {
  let at = skipBlanks(bytes, line)
  const afterNumber = numberEnd(bytes, at)
  if (afterNumber > 0) at = skipBlanks(bytes, afterNumber)
  while (markers[bytes[at]!] === 1) at = skipBlanks(bytes, at + 1)
  return at
}

/** The offset after a line number and its separator (`12:`, `12|`, `12→`, `12 `), or 0. */
function numberEnd(bytes: Uint8Array, at: number): number {
  let end = at
  while (end < at + maxDigits && (classBits[bytes[end]!]! & digitBit) !== 0) end++
  if (end === at) return 0
  const next = bytes[end]!
  if ((classBits[next]! & blankBit) !== 0) return end + 1
  return next === 0x3a || next === 0x7c || next === 0x29 || next === otherCharacter ? end + 1 : 0
}

function numberAt(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let i = at; (classBits[bytes[i]!]! & digitBit) !== 0; i++) value = value * 10 + bytes[i]! - 0x30
  return value
}
