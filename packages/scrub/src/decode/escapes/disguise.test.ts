import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, inPlaceReading, oneSecret, secrets, steady } from '../../../test/decode-probe.ts'

const mathematical = (char: string): string => {
  const code = char.charCodeAt(0)
  if (/[a-z]/.test(char)) return String.fromCodePoint(0x1d41a + code - 0x61)
  if (/[A-Z]/.test(char)) return String.fromCodePoint(0x1d400 + code - 0x41)
  return /[0-9]/.test(char) ? String.fromCodePoint(0x1d7ce + code - 0x30) : char
}

test.each<[string, (text: string) => string]>([
  ['zero-width spaces', (text) => text.split('').join('\u200b')],
  ['soft hyphens', (text) => text.split('').join('\u00ad')],
  ['selectors', (text) => text.split('').join('\ufe0f')],
  ['tags', (text) => text.split('').join('\u{e0041}')],
  ['a byte order mark', (text) => `${text.slice(0, 8)}\ufeff${text.slice(8)}`],
  [
    'full-width forms',
    (text) => text.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  ],
  ['mathematical letters', (text) => text.replaceAll(/./g, mathematical)],
])('%s hide no secret', (_, disguise) => {
  fc.assert(
    fc.property(secrets, (secret) => {
      const encoded = disguise(secret)
      expect(findHidden(`key = ${encoded} .`, secret)).toEqual({ start: 6, end: 6 + encoded.length })
    }),
    steady,
  )
})

test('scripts, emoji and the punctuation of Chinese text need no other reading', () => {
  expect(inPlaceReading('naïve 日本語（テスト）：ключ ❤️ ⚠️ warning 👩‍👩‍👧 → done')).toBeUndefined()
  expect(inPlaceReading(`日本語：\u200b${oneSecret}`)).toBe(`日本語:${oneSecret}`)
})

test('letters of older sets are read where they stand for one', () => {
  expect(inPlaceReading('ℊⓗℙ_x1')).toBe('ghP_x1')
  expect(inPlaceReading('℃ and ™ stay')).toBeUndefined()
})
