import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, inPlaceReading, secrets, steady } from '../../../test/decode-probe.ts'

test.each([' ', ''])('lists of code points hide no secret, with %o between them', (between) => {
  fc.assert(
    fc.property(secrets, (secret) => {
      const encoded = secret
        .split('')
        .map((char) => `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
        .join(between)
      expect(findHidden(`see ${encoded}.`, secret)).toEqual({ start: 4, end: 4 + encoded.length })
    }),
    steady,
  )
})

test('other characters and other sums are left alone', () => {
  expect(inPlaceReading('U+1F600 and U+00E9 and u+12 and menu+5000x')).toBeUndefined()
  expect(inPlaceReading('the letter U+0041 itself')).toBe('the letter A itself')
})
