import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findHidden, inPlaceReading, oneSecret, secrets, steady } from '../../../test/decode-probe.ts'

const code = (char: string): number => char.charCodeAt(0)
const hexOf = (char: string, width: number): string => code(char).toString(16).padStart(width, '0')
const octalOf = (char: string): string => code(char).toString(8).padStart(3, '0')
const each = (text: string, write: (char: string) => string): string => text.split('').map(write).join('')

const ways: Record<string, (text: string) => string> = {
  'four digits': (text) => each(text, (char) => `\\u${hexOf(char, 4)}`),
  'digits in braces': (text) => each(text, (char) => `\\u{${hexOf(char, 2)}}`),
  'eight digits': (text) => each(text, (char) => `\\U${hexOf(char, 8)}`),
  'two digits': (text) => each(text, (char) => `\\x${hexOf(char, 2)}`),
  'digits in braces after x': (text) => each(text, (char) => `\\x{${hexOf(char, 2)}}`),
  'three octal digits': (text) => each(text, (char) => `\\${octalOf(char)}`),
  'four octal digits': (text) => each(text, (char) => `\\0${octalOf(char)}`),
  'digits and a blank': (text) => each(text, (char) => `\\${hexOf(char, 2)} `),
  'every fourth character': (text) =>
    each(text, (char) => (code(char) % 4 === 0 ? `\\u${hexOf(char, 4)}` : char)),
}

describe.each(Object.entries(ways))('%s', (_, write) => {
  test('hides no secret, and stands where it is said to stand', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const encoded = write(secret)
        if (encoded === secret) return
        const found = findHidden(`key: "${encoded}" end`, secret)
        expect(found).toEqual({ start: 6, end: 6 + encoded.length })
      }),
      steady,
    )
  })
})

test.each([
  ['JSON in JSON', '{\\"a\\":\\"b\\\\nc\\"}', '{"a":"b\\nc"}'],
  ['slashes', 'https:\\/\\/a.io', 'https://a.io'],
  ['UTF-8 in bytes', '\\xc3\\xa9\\303\\251', 'éé'],
  ['bytes that are no UTF-8', '\\xe9', 'é'],
  ['a character that does not show', 'ab\\u200bcd', 'abcd'],
  ['a line that goes on', 'ghp_abc\\\ndef', 'ghp_abcdef'],
  ['half a pair', '\\ud800x', '\ud800x'],
])('reads %s', (_, text, reading) => {
  expect(inPlaceReading(text)).toBe(reading)
})

test.each([
  ['a reference to a group', '(a)\\1\\2'],
  ['classes of a regular expression', '\\d+\\s*\\w\\b'],
  ['too few digits', '\\u12 \\x4 \\u{}'],
  ['no character', '\\u{110000} \\U00110000'],
  ['a column of bytes', `\\x${'67'.repeat(20)}`],
  ['a line break in a string', 'print("done\\n")'],
])('leaves %s alone', (_, text) => {
  expect(inPlaceReading(text)).toBeUndefined()
})

test.each([
  ['a name', 'a=1\\nTOKEN=x', 'a=1\nTOKEN=x'],
  ['a token', `a\\n${oneSecret}`, `a\n${oneSecret}`],
  ['a number after a number', '103\\n104', '103\n104'],
  ['a row of a dump', 'a\\n0000020', 'a\n0000020'],
])('a written line break tells where it hides the start of %s', (_, text, reading) => {
  expect(inPlaceReading(text)).toBe(reading)
})

test('escaped punctuation tells inside a token, not in a name', () => {
  const escaped = oneSecret.replace('_', '\\_')
  expect(inPlaceReading(escaped)).toBe(oneSecret)
  expect(inPlaceReading('some\\_name and C:\\dir')).toBeUndefined()
})
