import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, decodedInPlace, secrets, fixedRuns } from '../../../test/decode-probe.ts'

test.each([' ', ''])('finds a secret as code points separated by %o', (between) => {
  fc.assert(
    fc.property(secrets, (secret) => {
      const encoded = secret
        .split('')
        .map((char) => `U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
        .join(between)
      expect(findHidden(`see ${encoded}.`, secret)).toEqual({ start: 4, end: 4 + encoded.length })
    }),
    fixedRuns,
  )
})

test('ignores other characters and similar text', () => {
  expect(decodedInPlace('U+1F600 and U+00E9 and u+12 and menu+5000x')).toBeUndefined()
  expect(decodedInPlace('the letter U+0041 itself')).toBe('the letter A itself')
})
