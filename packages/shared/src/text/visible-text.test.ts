import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { visibleText } from './visible-text.ts'

it.each([
  ['an escape sequence', '\u001B[2Jsafe', '\\u{1b}[2Jsafe'],
  ['a line break', 'a\r\nb', 'a\\u{d}\\u{a}b'],
  ['a turned reading direction', 'a\u202Eb', 'a\\u{202e}b'],
  ['a character without width', 'a\u200Bb\uFEFF', 'a\\u{200b}b\\u{feff}'],
  ['half a character', 'a\uD800', 'a\\u{d800}'],
])('shows %s', (_, text, shown) => {
  expect(visibleText(text)).toBe(shown)
})

it('leaves ordinary text of any language unchanged', () => {
  expect(visibleText('naïve café 日本語 😀 ~/.config [y/N]')).toBe('naïve café 日本語 😀 ~/.config [y/N]')
})

it('escapes every control character', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff })), (points) => {
      expect(visibleText(String.fromCodePoint(...points))).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }),
  )
})
