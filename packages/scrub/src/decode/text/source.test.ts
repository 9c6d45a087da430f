import { expect, test } from 'vitest'

import { disguisedCharacter, hexNumber, isInvisible, otherCharacter, sourceOf } from './source.ts'

const bytesOf = (text: string): number[] => [...sourceOf(text).bytes.subarray(0, text.length)]

test('has one byte for each UTF-16 unit', () => {
  expect(bytesOf('aé')).toEqual([0x61, 0xe9])
  expect(bytesOf('a漢b')).toEqual([0x61, otherCharacter, 0x62])
  expect(bytesOf('a\u200bＡ→')).toEqual([0x61, disguisedCharacter, disguisedCharacter, otherCharacter])
  expect(bytesOf('\ud83d\ude00x')).toEqual([otherCharacter, otherCharacter, 0x78])
  expect(bytesOf('\ud800')).toEqual([otherCharacter])
  expect(bytesOf('')).toEqual([])
})

test('a character beyond Latin-1 never looks like a Latin-1 character', () => {
  // Their low bytes are those of `%` and `A`.
  expect(bytesOf('\u0125\u0141')).toEqual([otherCharacter, otherCharacter])
})

test('is followed by zeros, so that lookahead is safe', () => {
  const { bytes, length } = sourceOf('abc')
  expect([...bytes.subarray(length)]).toEqual(Array.from({ length: bytes.length - length }, () => 0))
  expect(bytes.length).toBeGreaterThan(length)
})

test.each([0xad, 0x200b, 0x200d, 0x2060, 0xfeff, 0x034f, 0x180e, 0xfe0f, 0xe0041, 0xe0100])(
  'U+%x is invisible',
  (code) => {
    expect(isInvisible(code)).toBe(true)
  },
)

test.each([0x20, 0x41, 0xe9, 0x2014, 0x20ac, 0x6f22, 0x1f600])('U+%x is visible', (code) => {
  expect(isInvisible(code)).toBe(false)
})

test('reads numbers with an exact count of hexadecimal digits', () => {
  const { bytes } = sourceOf('00fFg')
  expect([hexNumber(bytes, 0, 4), hexNumber(bytes, 1, 4), hexNumber(bytes, 4, 40)]).toEqual([0xff, -1, -1])
})
