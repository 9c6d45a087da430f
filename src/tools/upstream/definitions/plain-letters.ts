/** Normalizes text to plain Latin letters, so that phrases are found regardless of the characters used to write them. */

import { withoutHidden } from '../../../platform/hidden-characters.ts'

/** Homoglyphs of Latin letters, and the Latin letters in the same order. */
const cyrillicLike = 'аеорсухкмтвнзіјѕһԁԛԝѵӏ'
const cyrillicAs = 'aeopcyxkmtbhzijshdqwvl'
const greekLike = 'αβεζηικμνορτυχωϲ'
const greekAs = 'abeznikuvoptuxwc'
const lookAlikes = new Map<string, string>(
  Array.from(cyrillicLike + greekLike, (letter, at) => [letter, (cyrillicAs + greekAs).charAt(at)]),
)

/** Lower case, without accents, with single spaces. */
export function plainLetters(text: string): string {
  const letters = withoutHidden(text)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[\u0370-\u052F]/g, (letter) => lookAlikes.get(letter) ?? letter)
    .replace(/[’‘ʼ`´]/g, "'")
  return joinSpacedLetters(letters).replace(/\s+/g, ' ')
}

/** Leetspeak to letters. */
export function withoutDigitsForLetters(plain: string): string {
  return plain.replace(/[a-z0-9@$]+/g, (word) =>
    /[a-z]/.test(word) && /[013457@$]/.test(word)
      ? word.replace(/[013457@$]/g, (mark) => 'oieastas'.charAt('013457@$'.indexOf(mark)))
      : word,
  )
}

/** Eight or more separated letters. */
const spacedLetters = /\b[a-z](?:(?: {1,3}|[._*-])[a-z]\b){7,}/g

export function hasSpacedLetters(text: string): boolean {
  return withoutHidden(text).toLowerCase().search(spacedLetters) !== -1
}

function joinSpacedLetters(text: string): string {
  // Two or more spaces separate words.
  return text.replace(spacedLetters, (run) =>
    run.replace(/ +|[._*-]/g, (between) => (between.length > 1 ? ' ' : '')),
  )
}

const cyrillic = /\p{Script=Cyrillic}/u
const greek = /\p{Script=Greek}/u
const latin = /[A-Za-z]/

/** A word that mixes alphabets to look like another: `рassword` with a Cyrillic first letter. */
export function mixedAlphabetWord(text: string): string | undefined {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]{3,}/gu)) {
    if (!latin.test(word)) continue
    if (cyrillic.test(word) || (greek.test(word) && word.length > 4)) return word
  }
  return undefined
}

/** A word in mathematical, full-width or enclosed letters. */
export const styledWord =
  /[\u{1D400}-\u{1D7FF}\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9\u{1F130}-\u{1F189}]{4,}/u
