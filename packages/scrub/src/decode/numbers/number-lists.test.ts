import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findHidden, oneSecret, payloads, readingsOf, steady } from '../../../test/decode-probe.ts'

const decimals = (text: string): number[] => [...Buffer.from(text)]
const literals = (text: string): string[] =>
  decimals(text).map((byte) => `0x${byte.toString(16).padStart(2, '0')}`)

describe.each<[string, (text: string) => string]>([
  ['JSON', (text) => JSON.stringify(decimals(text))],
  ['a printed array', (text) => `[${decimals(text).join(', ')}]`],
  ['a printed slice', (text) => `[${decimals(text).join(' ')}]`],
  ['indented JSON', (text) => JSON.stringify({ type: 'Buffer', data: decimals(text) }, null, 4)],
  ['deeply indented JSON', (text) => JSON.stringify([[[decimals(text)]]], null, 4)],
  ['a number a line', (text) => decimals(text).join('\n')],
  ['literals', (text) => literals(text).join(', ')],
  ['literals without blanks', (text) => literals(text).join(',')],
  ['literals with blanks alone', (text) => literals(text).join(' ')],
  ['literals in lines', (text) => literals(text).join(',\n    ')],
])('bytes as %s', (_, write) => {
  test('hide no secret', () => {
    fc.assert(
      fc.property(payloads, ({ text, secret }) => {
        const encoded = write(text)
        const whole = `x: ${encoded} .`
        const { start, end } = findHidden(whole, secret)!
        expect(whole.slice(start, end)).toMatch(/^\S[^]*[0-9a-f]$/)
        expect(start).toBeGreaterThanOrEqual(3)
        expect(end).toBeLessThanOrEqual(3 + encoded.length)
      }),
      steady,
    )
  })
})

test('what is no byte, and what is part of a number, ends a list', () => {
  const list = decimals(oneSecret).join(', ')
  expect(readingsOf(`[1000, ${list}, 4096, 7]`)).toEqual([oneSecret])
  expect(readingsOf(`[1.5, ${list}, 3.25]`).join()).toContain(oneSecret.slice(1))
  expect(readingsOf(`[0x1234, ${literals(oneSecret).join(', ')}]`)).toEqual([oneSecret])
})

test.each([
  ['coordinates', '[1.5, 2.25, -3, 4e5, 100, 200, 300, 400, 500, 600, 700]'],
  ['small numbers', '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]'],
  ['colours', '0xff00ff, 0x00ff00, 0x123456, 0x654321'],
])('%s are no text', (_, text) => {
  expect(readingsOf(text)).toEqual([])
})
