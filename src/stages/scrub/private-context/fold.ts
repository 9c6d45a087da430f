/** What counts of a character when texts are compared: its letter or digit, without case and accents. */

/** Stands between words. */
export const separator = 0
/** Combining marks and what nobody sees: it neither counts nor separates. */
export const nothing = -1
const unknown = -2

const letterOrDigit = /[\p{L}\p{N}]/gu
const passedOver = /^[\p{M}\p{Default_Ignorable_Code_Point}]$/u

/** Made on first use: a client waits for the start of its server, and most sessions never compare anything. */
let folded: Int32Array | undefined

/** The code unit that stands for it, or one of the two above. */
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
  // Half of a character beyond the first plane: compared as it is.
  if (isSurrogate(unit)) return unit
  const char = String.fromCharCode(unit)
  if (passedOver.test(char)) return nothing
  const letters = char.normalize('NFKD').match(letterOrDigit) ?? []
  if (letters.length === 0) return separator
  // What falls apart into several letters (a ligature, a syllable of Hangul) stays one.
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

/** Letters without case are `other`: they belong to scripts that mostly write no spaces between words. */
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

/** Whether a word can end before `at`: next to a sign, between letters and digits, and where `camelCase` goes up. */
export function isBorder(text: string, at: number): boolean {
  const before = kindOf(text.charCodeAt(at - 1))
  const after = kindOf(text.charCodeAt(at))
  if (before === other || after === other) return true
  if (before === digit || after === digit) return before !== after
  if (before === lower) return after === upper
  return after === upper && kindOf(text.charCodeAt(at + 1)) === lower
}
