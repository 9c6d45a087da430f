/** Folds characters for comparing texts: to their letter or digit, without case and accents. */

/** Separates words. */
export const separator = 0
/** Combining marks and invisible characters: ignored, and do not separate words. */
export const ignored = -1
const unknown = -2

const letterOrDigit = /[\p{L}\p{N}]/gu
const ignoredCharacter = /^[\p{M}\p{Default_Ignorable_Code_Point}]$/u

/** Created on first use: clients wait for their server to start, and most sessions never compare anything. */
let folded: Int32Array | undefined

/** The folded code unit, or one of the two constants above. */
export function foldUnit(unit: number): number {
  folded ??= new Int32Array(0x1_00_00).fill(unknown)
  let found = folded[unit]!
  if (found === unknown) {
    found = fold(unit)
    folded[unit] = found
  }
  return found
}

function fold(unit: number): number {
  // Surrogates are compared unchanged.
  if (isSurrogate(unit)) return unit
  const char = String.fromCharCode(unit)
  if (ignoredCharacter.test(char)) return ignored
  const letters = char.normalize('NFKD').match(letterOrDigit) ?? []
  if (letters.length === 0) return separator
  // A character that decomposes into several letters (a ligature, a Hangul syllable) is kept as one.
  const base = letters.length === 1 ? letters[0] : char
  return base.toLowerCase().charCodeAt(0)
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

const other = 1
const digit = 2
const lower = 3
const upper = 4
let kinds: Uint8Array | undefined

/** Letters without case are `other`: most of their scripts do not separate words by spaces. */
function kindOf(unit: number): number {
  if (Number.isNaN(unit)) return other
  kinds ??= new Uint8Array(0x1_00_00)
  let kind = kinds[unit]!
  if (kind === 0) {
    const char = String.fromCharCode(unit)
    if (/\p{Nd}/u.test(char)) kind = digit
    else if (/[\p{Lu}\p{Lt}]/u.test(char)) kind = upper
    else kind = /\p{Ll}/u.test(char) ? lower : other
    kinds[unit] = kind
  }
  return kind
}

/**
 * Whether a word can end before `at`: next to punctuation, between letters and digits, and at a capital in
 * `camelCase`.
 */
export function isBorder(text: string, at: number): boolean {
  const before = kindOf(text.charCodeAt(at - 1))
  const after = kindOf(text.charCodeAt(at))
  if (before === other || after === other) return true
  if (before === digit || after === digit) return before !== after
  if (before === lower) return after === upper
  return after === upper && kindOf(text.charCodeAt(at + 1)) === lower
}
