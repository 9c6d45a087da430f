import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, inPlaceReading, oneSecret, secrets, steady } from '../../../test/decode-probe.ts'

const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

test('hides no secret, all of it escaped or folded anywhere', () => {
  fc.assert(
    fc.property(secrets, fc.nat(), fc.constantFrom('\n', '\r\n'), (secret, cut, lineBreak) => {
      expect(findHidden(`X: ${escaped(secret)}`, secret)).toEqual({ start: 3, end: 3 + secret.length * 3 })
      const at = 1 + (cut % Math.min(secret.length - 1, 38))
      const before = 'Your new access token, keep it safe: '
      const folded = `${before}${secret.slice(0, at)}=${lineBreak}${secret.slice(at)}`
      expect(findHidden(folded, secret)).toEqual({ start: before.length, end: folded.length })
    }),
    steady,
  )
})

test('reads the whole line where part of it is clearly meant so', () => {
  expect(inPlaceReading('token=3Dabc=20def')).toBe('token=abc def')
  expect(inPlaceReading('caf=C3=A9 au lait')).toBe('café au lait')
})

test.each([
  ['values', 'width=20 height=40 a=12&b=34'],
  ['empty values', 'FOO=\nBAR=\nBAZ=a'],
  ['the end of base64', `${'QUJD'.repeat(14)}ABCD==\nnext`],
  [
    'lists of hashes',
    `github.com/a/b v1.2.3 h1:${'Ab3'.repeat(14)}x=\ngithub.com/a/c v1.2.3 h1:${'Ab3'.repeat(14)}y=\n`,
  ],
  ['code', 'const value =\n  compute()'],
])('leaves %s alone', (_, text) => {
  expect(inPlaceReading(text)).toBeUndefined()
})

test('encoded words of mail, also in several', () => {
  const word = (text: string): string => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
  const text = `Subject: ${word(oneSecret.slice(0, 11))}\r\n ${word(oneSecret.slice(11))} x`
  expect(inPlaceReading(text)).toBe(`Subject: ${oneSecret} x`)
  expect(findHidden(text, oneSecret)).toEqual({ start: 9, end: text.length - 2 })
  expect(inPlaceReading('=?iso-8859-1?Q?caf=E9_noir?=')).toBe('café noir')
  expect(inPlaceReading('a =?b? c =?UTF-8?X?YWJj?= d')).toBeUndefined()
})
