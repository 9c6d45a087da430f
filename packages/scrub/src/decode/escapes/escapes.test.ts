import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findHidden, decodedInPlace, sampleSecret, secrets, fixedRuns } from '../../../test/decode-probe.ts'

const code = (char: string): number => char.charCodeAt(0)
const hexOf = (char: string, width: number): string => code(char).toString(16).padStart(width, '0')
const octalOf = (char: string): string => code(char).toString(8).padStart(3, '0')
const each = (text: string, write: (char: string) => string): string => text.split('').map(write).join('')

const encodings: Record<string, (text: string) => string> = {
  'four digits': (text) => each(text, (char) => `\\u${hexOf(char, 4)}`),
  'digits in braces': (text) => each(text, (char) => `\\u{${hexOf(char, 2)}}`),
  'eight digits': (text) => each(text, (char) => `\\U${hexOf(char, 8)}`),
  'two digits': (text) => each(text, (char) => `\\x${hexOf(char, 2)}`),
  'digits in braces after x': (text) => each(text, (char) => `\\x{${hexOf(char, 2)}}`),
  'three octal digits': (text) => each(text, (char) => `\\${octalOf(char)}`),
  'four octal digits': (text) => each(text, (char) => `\\0${octalOf(char)}`),
  'digits and a space': (text) => each(text, (char) => `\\${hexOf(char, 2)} `),
  'every fourth character': (text) =>
    each(text, (char) => (code(char) % 4 === 0 ? `\\u${hexOf(char, 4)}` : char)),
}

describe.each(Object.entries(encodings))('%s', (_, write) => {
  test('finds a secret and its location', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const encoded = write(secret)
        if (encoded === secret) return
        const found = findHidden(`key: "${encoded}" end`, secret)
        expect(found).toEqual({ start: 6, end: 6 + encoded.length })
      }),
      fixedRuns,
    )
  })
})

test.each([
  ['JSON in JSON', '{\\"a\\":\\"b\\\\nc\\"}', '{"a":"b\\nc"}'],
  ['slashes', 'https:\\/\\/a.io', 'https://a.io'],
  ['UTF-8 bytes', '\\xc3\\xa9\\303\\251', 'éé'],
  ['bytes that are not UTF-8', '\\xe9', 'é'],
  ['an invisible character', 'ab\\u200bcd', 'abcd'],
  ['a line continuation', 'ghp_abc\\\ndef', 'ghp_abcdef'],
  ['a lone surrogate', '\\ud800x', '\ud800x'],
])('decodes %s', (_, text, reading) => {
  expect(decodedInPlace(text)).toBe(reading)
})

test.each([
  ['a back-reference', '(a)\\1\\2'],
  ['classes of a regular expression', '\\d+\\s*\\w\\b'],
  ['too few digits', '\\u12 \\x4 \\u{}'],
  ['invalid code points', '\\u{110000} \\U00110000'],
  ['a bytea column', `\\x${'67'.repeat(20)}`],
  ['a line break in a string', 'print("done\\n")'],
])('ignores %s', (_, text) => {
  expect(decodedInPlace(text)).toBeUndefined()
})

test.each([
  ['a name', 'a=1\\nTOKEN=x', 'a=1\nTOKEN=x'],
  ['a token', `a\\n${sampleSecret}`, `a\n${sampleSecret}`],
  ['a number after a number', '103\\n104', '103\n104'],
  ['a row of a dump', 'a\\n0000020', 'a\n0000020'],
])('an escaped line break is significant if it hides the start of %s', (_, text, reading) => {
  expect(decodedInPlace(text)).toBe(reading)
})

test('escaped punctuation is significant inside a token, but not in a name', () => {
  const escaped = sampleSecret.replace('_', '\\_')
  expect(decodedInPlace(escaped)).toBe(sampleSecret)
  expect(decodedInPlace('some\\_name and C:\\dir')).toBeUndefined()
})

describe('percent-encoding', () => {
  const percent = (text: string): string =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')

  test('finds a secret encoded once, twice or three times', () => {
    fc.assert(
      fc.property(secrets, fc.integer({ min: 1, max: 3 }), (secret, times) => {
        let encoded = secret
        for (let i = 0; i < times; i++) encoded = i === 0 ? percent(encoded) : encodeURIComponent(encoded)
        expect(findHidden(`?q=${encoded}&n=1`, secret)).toEqual({ start: 3, end: 3 + encoded.length })
      }),
      fixedRuns,
    )
  })

  test.each([
    ['reserved characters of URLs', 'a%2Fb%3D%7Bx%7D', 'a/b={x}'],
    ['UTF-8', 'caf%C3%A9', 'café'],
    ['legacy %u escapes', '%u0067%u0068', 'gh'],
  ])('decodes %s', (_, text, reading) => {
    expect(decodedInPlace(text)).toBe(reading)
  })

  test.each([
    ['format strings', 'printf("%02d %5s %x")'],
    ['percentages', '50% of 100%, 20 %'],
    ['invalid UTF-8', 'caf%E9'],
    ['a truncated escape at the end', 'abcdefgh%4'],
  ])('ignores %s', (_, text) => {
    expect(decodedInPlace(text)).toBeUndefined()
  })
})

describe('code points', () => {
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
})
