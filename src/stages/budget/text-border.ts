/**
 * Finds positions where a text may be cut: never inside a character or a scrub token, and at a line end if one is
 * near. Pure.
 */

const scrubToken = /\[SECRET_[A-Z0-9]+\]/y
const maxTokenLength = 32

/**
 * How far a cut may move to avoid splitting a cluster of combining characters; longer clusters are split between
 * characters.
 */
const maxClusterLength = 64

/** The last good cut position at or before `index`, and not before `min` unless a character or token would be split. */
export function borderBefore(text: string, index: number, min: number): number {
  if (index >= text.length) return text.length
  const line = text.slice(min, index).lastIndexOf('\n') + 1
  if (line > 0 && isBorder(text, min + line)) return min + line
  const from = Math.max(min, index - maxTokenLength)
  const word = text.slice(from, index).lastIndexOf(' ') + 1
  if (word > 0 && isBorder(text, from + word)) return from + word
  return nearestBorder(text, index, -1)
}

/** The first good cut position at or after `index`, and not after `max` unless a character or token would be split. */
export function borderAfter(text: string, index: number, max: number): number {
  if (index <= 0) return 0
  const line = text.slice(index, max).indexOf('\n')
  if (line >= 0 && isBorder(text, index + line + 1)) return index + line + 1
  const word = text.slice(index, Math.min(max, index + maxTokenLength)).indexOf(' ')
  if (word >= 0 && isBorder(text, index + word + 1)) return index + word + 1
  return nearestBorder(text, index, 1)
}

/** The end of the first character, including its combining characters. */
export function firstCharacterEnd(text: string): number {
  return nearestBorder(text, Math.min(1, text.length), 1)
}

function nearestBorder(text: string, index: number, step: 1 | -1): number {
  let at = index
  for (let moved = 0; moved < maxClusterLength; moved += 1) {
    if (isBorder(text, at)) return at
    at += step
  }
  // An oversized cluster is cut, but not inside a surrogate pair.
  return splitsPair(text, index) ? index + step : index
}

function isBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true
  return !splitsPair(text, at) && !splitsCluster(text, at) && !splitsToken(text, at)
}

function splitsPair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00
}

const zeroWidthJoiner = 0x200d

/** An approximation: marks and selectors stay with their base character, joined emoji and flags stay together. */
function splitsCluster(text: string, at: number): boolean {
  const next = text.codePointAt(at) ?? 0
  const last = text.charCodeAt(at - 1)
  if (last === 0x0d && next === 0x0a) return true
  if (last < 0x300 && next < 0x300) return false
  return (
    next === zeroWidthJoiner ||
    last === zeroWidthJoiner ||
    isModifier(next) ||
    (isFlagPart(next) && endsWithFlagPart(text, at))
  )
}

function isModifier(code: number): boolean {
  return (
    (code >= 0x0300 && code <= 0x036f) ||
    (code >= 0x1ab0 && code <= 0x1aff) ||
    (code >= 0x1dc0 && code <= 0x1dff) ||
    (code >= 0x20d0 && code <= 0x20ff) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    (code >= 0xfe20 && code <= 0xfe2f) ||
    (code >= 0x1f3fb && code <= 0x1f3ff) ||
    (code >= 0xe0020 && code <= 0xe01ef)
  )
}

function isFlagPart(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff
}

function endsWithFlagPart(text: string, at: number): boolean {
  let parts = 0
  while (parts < maxClusterLength && isFlagPart(text.codePointAt(at - 2 * (parts + 1)) ?? 0)) parts += 1
  return parts % 2 === 1
}

function splitsToken(text: string, at: number): boolean {
  const from = Math.max(0, at - maxTokenLength)
  const open = text.slice(from, at).lastIndexOf('[')
  if (open < 0) return false
  scrubToken.lastIndex = from + open
  return scrubToken.test(text) && scrubToken.lastIndex > at
}
