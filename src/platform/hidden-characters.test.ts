import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { hiddenIn, showHidden, withoutHidden } from './hidden-characters.ts'

it.each([
  ['a space without width', 'a\u200Bb', 'invisible', 'ab'],
  ['a soft hyphen', 'a\u00ADb', 'invisible', 'ab'],
  ['a byte order mark', '\uFEFFab', 'invisible', 'ab'],
  ['a Hangul filler', 'a\u3164b', 'invisible', 'ab'],
  ['a blank braille cell', 'a\u2800b', 'invisible', 'ab'],
  ['tag characters', 'a\u{E0041}\u{E0042}b', 'invisible', 'ab'],
  ['tag characters after a flag that takes none', '\u{1F3F4}\u{E0041}b', 'invisible', '\u{1F3F4}b'],
  ['variation selectors', 'a\u{E0101}\u{E0102}b', 'invisible', 'ab'],
  ['a second selector after an emoji', '⚠\uFE0F\uFE0Fb', 'invisible', '⚠\uFE0Fb'],
  ['a joiner between Latin letters', 'a\u200Db', 'invisible', 'ab'],
  ['a private character', 'a\uE001b', 'invisible', 'ab'],
  ['an unpaired surrogate', 'a\uD800b', 'invisible', 'ab'],
  ['a control character', 'a\u0001b', 'invisible', 'ab'],
  ['a direction override', 'a\u202Eb', 'direction', 'ab'],
  ['an escape sequence', 'a\u001B[31;1mb', 'terminal', 'ab'],
  ['a terminal link', 'a\u001B]8;;http://x\u0007b', 'terminal', 'ab'],
  ['a line separator', 'a\u2028b', 'invisible', 'a\nb'],
])('detects %s', (_, text, kind, left) => {
  expect(hiddenIn(text).map((run) => run.kind)).toEqual([kind])
  expect(withoutHidden(text)).toBe(left)
  expect(showHidden(text)).toMatch(/\\u\{/)
})

it.each([
  ['ordinary white space', 'a\tb\r\nc  d\u00A0e'],
  ['emoji', '⚠️ ✅ 👩‍💻 👩🏽‍🚀 🏳️‍🌈 1️⃣ ❤︎'],
  ['flags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇩🇪'],
  ['legitimate joiners', 'می‌خواهم क्‍ष'],
  ['other alphabets', 'naïve Grüße 日本語 русский עברית العربية 한국어 ไทย'],
])('ignores %s', (_, text) => {
  expect(hiddenIn(text)).toEqual([])
  expect(withoutHidden(text)).toBe(text)
})

it('also changes keys, and leaves other values unchanged', () => {
  expect(withoutHidden({ 'a\u200B': ['b\u200B', 1, null, true] })).toEqual({ a: ['b', 1, null, true] })
})

it('leaves nothing hidden in any text', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 0x10ffff }), { maxLength: 40 }), (points) => {
      const text = withoutHidden(String.fromCodePoint(...points))
      expect(text.replace(/[\t\n\r]/g, '')).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Co}\u200B\u202E]|[\u{E0000}-\u{E0020}]/u,
      )
    }),
  )
})
