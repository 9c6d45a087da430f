/**
 * Character sets as bits over a sample: Latin, punctuation and presentation forms in full, every sixteenth code unit of
 * the rest, and some supplementary characters. The host's regex engine decides which of them a class matches.
 */

export type Chars = bigint

function codes(first: number, last: number, step: number): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, i) => first + i * step)
}

const sample = [
  ...new Set([
    ...codes(0, 0x24f, 1),
    ...codes(0x2000, 0x214f, 1),
    ...codes(0x3000, 0x303f, 1),
    ...codes(0xfe00, 0xffff, 1),
    ...codes(0, 0xffff, 16),
    ...codes(0x1_0000, 0x10_ffff, 0x1000),
    ...codes(0x1_f1e0, 0x1_f6ff, 1),
    ...codes(0xe_0000, 0xe_01ef, 1),
  ]),
].map((code) => String.fromCodePoint(code))

export const allChars: Chars = (1n << BigInt(sample.length)) - 1n

const cache = new Map<string, Chars>()

/** The characters that one atom of a pattern matches: a character, a class, an escape. */
export function charsTakenBy(piece: string, flags: string): Chars {
  const relevant = flags.replace(/[^isuv]/g, '')
  const key = `${relevant} ${piece}`
  const cached = cache.get(key)
  if (cached !== undefined) return cached
  const regex = new RegExp(`^(?:${piece})$`, relevant)
  const bits = sample.map((char) => (regex.test(char) ? '1' : '0')).toReversed()
  const chars = BigInt(`0b${bits.join('')}`)
  if (chars === 0n) throw new Error(`no character of the sample matches ${piece}`)
  cache.set(key, chars)
  return chars
}
