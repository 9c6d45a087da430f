/** A text as a reader takes it in, whatever letters it is written with: what phrases are looked for in. */

import { withoutHidden } from '../../../platform/hidden-characters.ts'

/** Letters of other alphabets that look like Latin ones, and the Latin ones, in the same order. */
const cyrillicLike = 'аеорсухкмтвнзіјѕһԁԛԝѵӏ'
const cyrillicAs = 'aeopcyxkmtbhzijshdqwvl'
const greekLike = 'αβεζηικμνορτυχωϲ'
const greekAs = 'abeznikuvoptuxwc'
const lookAlikes = new Map<string, string>(
  Array.from(cyrillicLike + greekLike, (letter, at) => [letter, (cyrillicAs + greekAs).charAt(at)]),
)

/** Small letters without accents, one blank between words. */
export function plainLetters(text: string): string {
  const letters = withoutHidden(text)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[\u0370-\u052F]/g, (letter) => lookAlikes.get(letter) ?? letter)
    .replace(/[’‘ʼ`´]/g, "'")
  return joinSpacedLetters(letters).replace(/\s+/g, ' ')
}

/** Digits and marks in words, read as the letters they stand for. */
export function withoutDigitsForLetters(plain: string): string {
  return plain.replace(/[a-z0-9@$]+/g, (word) =>
    /[a-z]/.test(word) && /[013457@$]/.test(word)
      ? word.replace(/[013457@$]/g, (mark) => 'oieastas'.charAt('013457@$'.indexOf(mark)))
      : word,
  )
}

/** Eight or more letters, each on its own. */
const spacedLetters = /\b[a-z](?:(?: {1,3}|[._*-])[a-z]\b){7,}/g

export function hasSpacedLetters(text: string): boolean {
  return withoutHidden(text).toLowerCase().search(spacedLetters) !== -1
}

function joinSpacedLetters(text: string): string {
  // Two blanks or more are where a word ends.
  return text.replace(spacedLetters, (run) =>
    run.replace(/ +|[._*-]/g, (between) => (between.length > 1 ? ' ' : '')),
  )
}

const cyrillic = /\p{Script=Cyrillic}/u
const greek = /\p{Script=Greek}/u
const latin = /[A-Za-z]/

/** Words that mix alphabets so that they look like others: `рassword` with a Cyrillic first letter. */
export function lookAlikeWord(text: string): string | undefined {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]{3,}/gu)) {
    if (!latin.test(word)) continue
    if (cyrillic.test(word) || (greek.test(word) && word.length > 4)) return word
  }
  return undefined
}

/** Letters from the alphabets for mathematics, or full-width ones, where a whole word is written with them. */
export const dressedWord =
  /[\u{1D400}-\u{1D7FF}\uFF21-\uFF3A\uFF41-\uFF5A\u24B6-\u24E9\u{1F130}-\u{1F189}]{4,}/u
