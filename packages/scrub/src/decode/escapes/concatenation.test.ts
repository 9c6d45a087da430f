import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, inPlaceReading, oneSecret, secrets, steady } from '../../../test/decode-probe.ts'

test.each([
  ['JavaScript', `" + "`],
  ['without blanks', `'+'`],
  ['PHP and Perl', `' . '`],
  ['Visual Basic', `" & "`],
  ['SQL', `' || '`],
  ['Lua', `".."`],
  ['Haskell', `" ++ "`],
  ['Elixir', `" <> "`],
  ['Python and C', `' '`],
  ['C on two lines', `"\n    "`],
  ['an operator at the end of the line', `" +\n  "`],
  ['an operator at its start', `"\n    + "`],
  ['a backslash at its end', `" \\\n  "`],
  ['shells', `'"`],
  ['marked strings', `" b"`],
])('a string in parts hides no secret: %s', (_, seam) => {
  fc.assert(
    fc.property(secrets, fc.nat(), (secret, cut) => {
      const at = 1 + (cut % (secret.length - 1))
      const opening = seam.at(-1)!
      const text = `x = ${seam[0]!}${secret.slice(0, at)}${seam}${secret.slice(at)}${opening}\n`
      expect(findHidden(text, secret)).toEqual({ start: 5, end: text.length - 2 })
    }),
    steady,
  )
})

test('in as many parts as there are characters', () => {
  expect(
    inPlaceReading(
      oneSecret
        .split('')
        .map((char) => `"${char}"`)
        .join('+'),
    ),
  ).toBe(`"${oneSecret}"`)
})

test.each([
  ['lists', `['abc', 'def', "ghi"]`],
  ['alternatives', `type A = 'abc' | 'def' && 'ghi'`],
  ['sentences', `'the first ' + 'second' + " third"`],
  ['names in texts', 'call `one` `two` and `three`.'],
  ['logs', `"GET /a HTTP/1.1" 200 "https://a.io/" "Mozilla/5.0 (X11)"`],
  ['attributes', `<a class="b" id="c">`],
])('leaves %s alone', (_, text) => {
  expect(inPlaceReading(text)).toBeUndefined()
})
