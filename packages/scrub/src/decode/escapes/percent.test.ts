import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, decodedInPlace, secrets, fixedRuns } from '../../../test/decode-probe.ts'

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

test('finds a secret encoded once, twice or three times', () => {
  fc.assert(
    fc.property(secrets, fc.integer({ min: 1, max: 3 }), (secret, times) => {
      let encoded = secret
      for (let i = 0; i < times; i++) encoded = i === 0 ? percent(encoded) : encodeURIComponent(encoded)
      expect(findHidden(`?q=${encoded}&n=1`, secret)).toEqual({ start: 3, end: 3 + encoded.length })
    }),
    fixedRuns,
  )
})

test.each([
  ['reserved characters of URLs', 'a%2Fb%3D%7Bx%7D', 'a/b={x}'],
  ['UTF-8', 'caf%C3%A9', 'café'],
  ['legacy %u escapes', '%u0067%u0068', 'gh'],
])('decodes %s', (_, text, reading) => {
  expect(decodedInPlace(text)).toBe(reading)
})

test.each([
  ['format strings', 'printf("%02d %5s %x")'],
  ['percentages', '50% of 100%, 20 %'],
  ['invalid UTF-8', 'caf%E9'],
  ['a truncated escape at the end', 'abcdefgh%4'],
])('ignores %s', (_, text) => {
  expect(decodedInPlace(text)).toBeUndefined()
})
