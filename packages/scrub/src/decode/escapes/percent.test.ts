import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, inPlaceReading, secrets, steady } from '../../../test/decode-probe.ts'

const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

test('hides no secret, once, twice or three times', () => {
  fc.assert(
    fc.property(secrets, fc.integer({ min: 1, max: 3 }), (secret, times) => {
      let encoded = secret
      for (let i = 0; i < times; i++) encoded = i === 0 ? percent(encoded) : encodeURIComponent(encoded)
      expect(findHidden(`?q=${encoded}&n=1`, secret)).toEqual({ start: 3, end: 3 + encoded.length })
    }),
    steady,
  )
})

test.each([
  ['what a URL has to escape', 'a%2Fb%3D%7Bx%7D', 'a/b={x}'],
  ['UTF-8', 'caf%C3%A9', 'café'],
  ['older scripts', '%u0067%u0068', 'gh'],
])('reads %s', (_, text, reading) => {
  expect(inPlaceReading(text)).toBe(reading)
})

test.each([
  ['formats', 'printf("%02d %5s %x")'],
  ['shares', '50% of 100%, 20 %'],
  ['what is no UTF-8', 'caf%E9'],
  ['half an escape at the end', 'abcdefgh%4'],
])('leaves %s alone', (_, text) => {
  expect(inPlaceReading(text)).toBeUndefined()
})
