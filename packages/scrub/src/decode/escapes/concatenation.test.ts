import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, decodedInPlace, sampleSecret, secrets, fixedRuns } from '../../../test/decode-probe.ts'

test.each([
  ['JavaScript', `" + "`],
  ['without spaces', `'+'`],
  ['PHP and Perl', `' . '`],
  ['Visual Basic', `" & "`],
  ['SQL', `' || '`],
  ['Lua', `".."`],
  ['Haskell', `" ++ "`],
  ['Elixir', `" <> "`],
  ['Python and C', `' '`],
  ['C on two lines', `"\n    "`],
  ['an operator at the end of the line', `" +\n  "`],
  ['an operator at the start of the line', `"\n    + "`],
  ['a backslash at the end of the line', `" \\\n  "`],
  ['shells', `'"`],
  ['string prefixes', `" b"`],
])('finds a secret in a concatenated string: %s', (_, seam) => {
  fc.assert(
    fc.property(secrets, fc.nat(), (secret, cut) => {
      const at = 1 + (cut % (secret.length - 1))
      const opening = seam.at(-1)!
      const text = `x = ${seam[0]!}${secret.slice(0, at)}${seam}${secret.slice(at)}${opening}\n`
      expect(findHidden(text, secret)).toEqual({ start: 5, end: text.length - 2 })
    }),
    fixedRuns,
  )
})

test('joins a string split into single characters', () => {
  expect(
    decodedInPlace(
      sampleSecret
        .split('')
        .map((char) => `"${char}"`)
        .join('+'),
    ),
  ).toBe(`"${sampleSecret}"`)
})

test.each([
  ['lists', `['abc', 'def', "ghi"]`],
  ['alternatives', `type A = 'abc' | 'def' && 'ghi'`],
  ['sentences', `'the first ' + 'second' + " third"`],
  ['quoted names in prose', 'call `one` `two` and `three`.'],
  ['logs', `"GET /a HTTP/1.1" 200 "https://a.io/" "Mozilla/5.0 (X11)"`],
  ['attributes', `<a class="b" id="c">`],
])('ignores %s', (_, text) => {
  expect(decodedInPlace(text)).toBeUndefined()
})
