import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { withBytesSwapped } from './byte-groups.ts'
import { findHidden, sampleSecret, payloads, viewTextsOf, fixedRuns } from '../../../test/decode-probe.ts'

const groups = (text: string, bytes: number): string[] =>
  Buffer.from(text)
    .toString('hex')
    .match(new RegExp(`.{1,${bytes * 2}}`, 'g')) ?? []
const bits = (text: string): string[] =>
  [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0'))

describe.each<[string, (text: string) => string]>([
  ['colons', (text) => groups(text, 1).join(':')],
  ['spaces', (text) => groups(text, 1).join(' ')],
  ['commas', (text) => groups(text, 1).join(',').toUpperCase()],
  ['tabs', (text) => groups(text, 1).join('\t')],
  ['bits', (text) => bits(text).join(' ')],
])('groups of bytes: %s', (_, write) => {
  test('are decoded', () => {
    fc.assert(
      fc.property(payloads, ({ text, secret }) => {
        const encoded = write(text)
        expect(findHidden(`<Buffer ${encoded}>`, secret)).toEqual({ start: 8, end: 8 + encoded.length })
      }),
      fixedRuns,
    )
  })
})

test('groups continue on the next line, also with a trailing separator', () => {
  const lines = groups(sampleSecret, 15).map((line) => line.match(/../g)!.join(':'))
  expect(viewTextsOf(`modulus:\n    ${lines.join(':\n    ')}\nnext\n`)).toEqual([sampleSecret])
  const spaced = groups(sampleSecret, 16).map((line) => ` ${line.match(/../g)!.join(' ')}`)
  expect(viewTextsOf(`${spaced.join('\n')}\n`)).toEqual([sampleSecret])
})

test('words are decoded in both byte orders', () => {
  const swapped = Buffer.from(sampleSecret).swap16().toString('hex').match(/.{4}/g)!
  expect(viewTextsOf(`${swapped.join(' ')}\n`).join()).toContain(sampleSecret)
  expect(viewTextsOf(`${groups(sampleSecret, 2).join(' ')}\n`).join()).toContain(sampleSecret)
  expect(withBytesSwapped([1, 2, 3, 4, 5, 6], 2)).toEqual([2, 1, 4, 3, 6, 5])
  expect(withBytesSwapped([1, 2, 3, 4], 4)).toEqual([4, 3, 2, 1])
})

test.each([
  ['times', 'at 10:20:30 and 12:34:56:78'],
  ['hardware addresses', '00:1b:44:11:3a:b7 and 2001:0db8:85a3:0000:0000:8a2e:0370:7334'],
  ['numbers', 'rows 10 20 30 40 50 60 70 80 90 11 12 13 of a table'],
])('%s are not text', (_, text) => {
  expect(viewTextsOf(text).filter((reading) => /[A-Za-z]{4}/.test(reading))).toEqual([])
})
