import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import { findHidden, decodedInPlace, sampleSecret, secrets, fixedRuns } from '../../../test/decode-probe.ts'

const escaped = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')

test('finds a secret that is fully escaped, or folded anywhere', () => {
  fc.assert(
    fc.property(secrets, fc.nat(), fc.constantFrom('\n', '\r\n'), (secret, cut, lineBreak) => {
      expect(findHidden(`X: ${escaped(secret)}`, secret)).toEqual({ start: 3, end: 3 + secret.length * 3 })
      const at = 1 + (cut % Math.min(secret.length - 1, 38))
      const before = 'Your new access token, keep it safe: '
      const folded = `${before}${secret.slice(0, at)}=${lineBreak}${secret.slice(at)}`
      expect(findHidden(folded, secret)).toEqual({ start: before.length, end: folded.length })
    }),
    fixedRuns,
  )
})

test('decodes the whole line if part of it is clearly quoted-printable', () => {
  expect(decodedInPlace('token=3Dabc=20def')).toBe('token=abc def')
  expect(decodedInPlace('caf=C3=A9 au lait')).toBe('café au lait')
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
])('ignores %s', (_, text) => {
  expect(decodedInPlace(text)).toBeUndefined()
})

test('decodes encoded words of mail headers, also split ones', () => {
  const word = (text: string): string => `=?UTF-8?B?${Buffer.from(text).toString('base64')}?=`
  const text = `Subject: ${word(sampleSecret.slice(0, 11))}\r\n ${word(sampleSecret.slice(11))} x`
  expect(decodedInPlace(text)).toBe(`Subject: ${sampleSecret} x`)
  expect(findHidden(text, sampleSecret)).toEqual({ start: 9, end: text.length - 2 })
  expect(decodedInPlace('=?iso-8859-1?Q?caf=E9_noir?=')).toBe('café noir')
  expect(decodedInPlace('a =?b? c =?UTF-8?X?YWJj?= d')).toBeUndefined()
})
