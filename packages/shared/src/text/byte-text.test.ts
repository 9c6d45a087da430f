import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { byteTextOf, bytesOfByteText, decodeByteText, encodeByteText } from './byte-text.ts'

test('every text and every sequence of bytes survives a round trip', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const wellFormed = text.toWellFormed()
      expect(decodeByteText(encodeByteText(wellFormed))).toBe(wellFormed)
      expect(bytesOfByteText(encodeByteText(wellFormed))).toEqual(Buffer.from(wellFormed))
    }),
  )
  fc.assert(
    fc.property(fc.uint8Array(), (array) => {
      const bytes = Buffer.from(array)
      expect(bytesOfByteText(byteTextOf(bytes))).toEqual(bytes)
    }),
  )
})

test('bytes that are not UTF-8 become replacement characters', () => {
  expect(decodeByteText(byteTextOf(Buffer.from([0x61, 0xff, 0x62])))).toBe('a\uFFFDb')
})
