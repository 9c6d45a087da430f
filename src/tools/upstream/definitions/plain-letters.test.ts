import { expect, it } from 'vitest'

import {
  styledWord,
  hasSpacedLetters,
  mixedAlphabetWord,
  plainLetters,
  withoutDigitsForLetters,
} from './plain-letters.ts'

it.each([
  ['capitals and accents', 'IGNORÉ  Ünd\nMehr', 'ignore und mehr'],
  ['Cyrillic look-alikes', 'ignоrе аll', 'ignore all'],
  ['Greek look-alikes', 'ιgnοre', 'ignore'],
  ['mathematical letters', '𝐢𝐠𝐧𝐨𝐫𝐞', 'ignore'],
  ['full-width letters', 'ignore', 'ignore'],
  ['letters with something between them', 'i\u200Bg\u200Bn\u200Bo\u200Br\u200Be', 'ignore'],
  ['letters apart', 'so i g n o r e  a l l  o f  i t', 'so ignore all of it'],
  ['letters with dots', 'd.o.n.o.t.t.e.l.l', 'donottell'],
  ['other quotes', 'don’t', "don't"],
  ['a short row of letters', 'a b c', 'a b c'],
])('reads %s', (_, text, plain) => {
  expect(plainLetters(text)).toBe(plain)
})

it('reads digits in words as letters, but not numbers', () => {
  expect(withoutDigitsForLetters('1gn0re 4ll pr3v10us 2024 h@ck')).toBe('ignore all previous 2024 hack')
})

it('finds words that mix alphabets', () => {
  expect(mixedAlphabetWord('the рassword')).toBe('рassword')
  expect(mixedAlphabetWord('русский text, μs, Δt and πr²')).toBeUndefined()
  expect(styledWord.test('ｒｅａｄ it')).toBe(true)
  expect(styledWord.test('日本語、OK')).toBe(false)
  expect(hasSpacedLetters('r e a d  i t  n o w')).toBe(true)
  expect(hasSpacedLetters('flags: i g m s u')).toBe(false)
})
