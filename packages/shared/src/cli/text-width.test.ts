import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { cutToWidth, padText, startOf, textWidth, wrapText } from './text-width.ts'

describe('the width', () => {
  test.each([
    ['', 0],
    ['plain', 5],
    ['naïve', 5],
    ['nai\u0308ve', 5],
    ['漢字', 4],
    ['한글', 4],
    ['ﾊﾝｶｸ', 4],
    ['ＡＢ', 4],
    ['👍', 2],
    ['👍🏽', 2],
    ['👩‍💻', 2],
    ['🇨🇭🇨🇭', 4],
    ['✔', 1],
    ['✔️', 2],
    ['…', 1],
    ['█░', 2],
    ['\u0301', 0],
  ])('of %j is %i', (text, columns) => {
    expect(textWidth(text)).toBe(columns)
  })
})

describe('a cut', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 4, '漢…'],
    ['👩‍💻👩‍💻👩‍💻', 4, '👩‍💻…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['any', 1, '…'],
    ['any', 0, ''],
  ])('%j to %i columns is %j', (text, room, cut) => {
    expect(cutToWidth(text, room)).toBe(cut)
  })

  test('never exceeds the width, and never splits a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(20), (text, room) => {
        const cut = cutToWidth(text, room)
        expect(textWidth(cut)).toBeLessThanOrEqual(Math.max(room, 0))
        expect(cut.isWellFormed()).toBe(true)
        expect(textWidth(startOf(text, room))).toBeLessThanOrEqual(room)
        expect(textWidth(padText(cut, room))).toBe(room)
      }),
    )
  })
})

test('lines break between words, and inside words that are too wide', () => {
  expect(wrapText('one two three', 7)).toEqual(['one two', 'three'])
  expect(wrapText('a wonderfulword b', 6)).toEqual(['a', 'wonder', 'fulwor', 'd b'])
  expect(wrapText('漢字漢字', 4)).toEqual(['漢字', '漢字'])
  expect(wrapText('', 4)).toEqual([''])
})
