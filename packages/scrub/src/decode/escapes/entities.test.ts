import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, decodedInPlace, secrets, fixedRuns } from '../../../test/decode-probe.ts'

const each = (text: string, write: (code: number) => string): string =>
  text
    .split('')
    .map((char) => write(char.charCodeAt(0)))
    .join('')

test.each<[string, (code: number) => string]>([
  ['decimal', (code) => `&#${code};`],
  ['hexadecimal', (code) => `&#x${code.toString(16)};`],
  ['without semicolons', (code) => `&#${code}`],
  ['double-escaped', (code) => `&amp;#${code};`],
])('finds a secret in numeric entities: %s', (_, write) => {
  fc.assert(
    fc.property(secrets, (secret) => {
      const encoded = each(secret, write)
      expect(findHidden(`<b>${encoded}</b>`, secret)).toEqual({ start: 3, end: 3 + encoded.length })
    }),
    fixedRuns,
  )
})

test('decodes named entities of ASCII characters', () => {
  expect(decodedInPlace('ghp&lowbar;a &lt;b&gt; c&nbsp;d&equals;&quot;e&quot; f&amp;g h&shy;i')).toBe(
    'ghp_a <b> c d="e" f&g hi',
  )
})

test.each([
  ['conditions', 'if (a && b & c) &d;'],
  ['queries', '/?a=1&lt=2&copy=3&amp'],
  ['other characters', '&eacute; &copy; &unknown;'],
  ['invalid code points', '&#1114112; &#; &#x;'],
])('ignores %s', (_, text) => {
  expect(decodedInPlace(text)).toBeUndefined()
})
