import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { findHidden, decodedInPlace, sampleSecret, secrets, fixedRuns } from '../../../test/decode-probe.ts'

const fold = (text: string, width: number): string[] => text.match(new RegExp(`.{1,${width}}`, 'g')) ?? []

describe.each<[string, (line: string, index: number) => string]>([
  ['none', (line) => line],
  ['indentation', (line) => `    ${line}`],
  ['a quote', (line) => `> ${line}`],
  ['a diff', (line) => `+${line}`],
  ['numbers', (line, index) => `${index + 98}: ${line}`],
  ['a table', (line) => `| ${line}`],
])('with a line prefix: %s', (_, prefix) => {
  test('finds a wrapped secret', () => {
    fc.assert(
      fc.property(secrets, fc.integer({ min: 24, max: 80 }), (secret, width) => {
        const lines = fold(`export ACCESS_TOKEN_OF_THE_DEPLOYMENT=${secret}`, width)
        const text = `before it\n${lines.map(prefix).join('\n')}\nafter it\n`
        const isBroken = !text.includes(secret)
        // A short or purely alphabetic last line looks like the next word, and one of full width like a column.
        const lastLine = lines.at(-1)!
        if (!isBroken || lastLine.length < 8 || lastLine.length === width || !/\d.*\d/.test(lastLine)) return
        const { start, end } = findHidden(text, secret)!
        expect(text.slice(start, end)).toMatch(new RegExp(`^${secret[0]}[^]*${secret.at(-1)}$`))
        expect(end).toBe(text.length - '\nafter it\n'.length)
      }),
      fixedRuns,
    )
  })
})

test('joins a token of many lines with a shorter last line', () => {
  const long = makeSample('{alnum:300}', seededRandom(3)).text
  expect(decodedInPlace(`${fold(long, 64).join('\n')}\n`)).toBe(long)
})

test('joins lines with Windows line breaks', () => {
  const text = `TOKEN=${sampleSecret.slice(0, 20)}\r\n${sampleSecret.slice(20)}\r\n`
  expect(decodedInPlace(text)).toBe(`TOKEN=${sampleSecret}\r`)
})

test.each([
  ['sentences', 'the quick brown fox jumps over the lazy\ndog, and configuration of it is left\n'],
  ['lists', 'github.com/one/two-three-four-5\ngithub.com/one/two-three-four-6\n'],
  ['settings', 'FIRST_SETTING=abcdefghij1234567890\nSECOND_SETTING=klmnopqrst\n'],
  ['columns of hashes', `${'0123456789abcdef'.repeat(4)}\n${'fedcba9876543210'.repeat(4)}\n`.repeat(3)],
  ['logs', 'GET /abc/def/ghi/1234567890abcdef\n2026-07-19T10:00:00 GET /abc\n'],
  ['keys', 'version: 1.2.3-alpha.20260719\nname: something-long\n'],
  [
    'wider lines',
    'const abcdefghij1234 = abcdefghij5678\nexport_function_name12 is a longer line than the first\n',
  ],
])('%s keep their line breaks', (_, text) => {
  expect(decodedInPlace(text)).toBeUndefined()
})
