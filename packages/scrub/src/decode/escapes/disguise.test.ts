import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, decodedInPlace, sampleSecret, secrets, fixedRuns } from '../../../test/decode-probe.ts'

const mathematical = (char: string): string => {
  const code = char.charCodeAt(0)
  if (/[a-z]/.test(char)) return String.fromCodePoint(0x1d41a + code - 0x61)
  if (/[A-Z]/.test(char)) return String.fromCodePoint(0x1d400 + code - 0x41)
  return /[0-9]/.test(char) ? String.fromCodePoint(0x1d7ce + code - 0x30) : char
}

test.each<[string, (text: string) => string]>([
  ['zero-width spaces', (text) => text.split('').join('\u200b')],
  ['soft hyphens', (text) => text.split('').join('\u00ad')],
  ['variation selectors', (text) => text.split('').join('\ufe0f')],
  ['tag characters', (text) => text.split('').join('\u{e0041}')],
  ['a byte order mark', (text) => `${text.slice(0, 8)}\ufeff${text.slice(8)}`],
  [
    'full-width forms',
    (text) => text.replaceAll(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  ],
  ['mathematical letters', (text) => text.replaceAll(/./g, mathematical)],
])('finds a secret disguised with %s', (_, disguise) => {
  fc.assert(
    fc.property(secrets, (secret) => {
      const encoded = disguise(secret)
      expect(findHidden(`key = ${encoded} .`, secret)).toEqual({ start: 6, end: 6 + encoded.length })
    }),
    fixedRuns,
  )
})

test('scripts, emoji and full-width punctuation need no decoding', () => {
  expect(decodedInPlace('naïve 日本語（テスト）：ключ ❤️ ⚠️ warning 👩‍👩‍👧 → done')).toBeUndefined()
  expect(decodedInPlace(`日本語：\u200b${sampleSecret}`)).toBe(`日本語:${sampleSecret}`)
})

test('letter-like symbols are decoded if they represent one letter', () => {
  expect(decodedInPlace('ℊⓗℙ_x1')).toBe('ghP_x1')
  expect(decodedInPlace('℃ and ™ stay')).toBeUndefined()
})
