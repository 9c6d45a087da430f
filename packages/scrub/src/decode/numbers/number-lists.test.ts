import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findHidden, sampleSecret, payloads, viewTextsOf, fixedRuns } from '../../../test/decode-probe.ts'

const decimals = (text: string): number[] => [...Buffer.from(text)]
const literals = (text: string): string[] =>
  decimals(text).map((byte) => `0x${byte.toString(16).padStart(2, '0')}`)

describe.each<[string, (text: string) => string]>([
  ['JSON', (text) => JSON.stringify(decimals(text))],
  ['a printed array', (text) => `[${decimals(text).join(', ')}]`],
  ['a printed slice', (text) => `[${decimals(text).join(' ')}]`],
  ['indented JSON', (text) => JSON.stringify({ type: 'Buffer', data: decimals(text) }, null, 4)],
  ['deeply indented JSON', (text) => JSON.stringify([[[decimals(text)]]], null, 4)],
  ['one number per line', (text) => decimals(text).join('\n')],
  ['literals', (text) => literals(text).join(', ')],
  ['literals without spaces', (text) => literals(text).join(',')],
  ['literals separated by spaces', (text) => literals(text).join(' ')],
  ['literals over several lines', (text) => literals(text).join(',\n    ')],
])('bytes as %s', (_, write) => {
  test('are decoded', () => {
    fc.assert(
      fc.property(payloads, ({ text, secret }) => {
        const encoded = write(text)
        const whole = `x: ${encoded} .`
        const { start, end } = findHidden(whole, secret)!
        expect(whole.slice(start, end)).toMatch(/^\S[^]*[0-9a-f]$/)
        expect(start).toBeGreaterThanOrEqual(3)
        expect(end).toBeLessThanOrEqual(3 + encoded.length)
      }),
      fixedRuns,
    )
  })
})

test('a list ends at a number that is not a byte', () => {
  const list = decimals(sampleSecret).join(', ')
  expect(viewTextsOf(`[1000, ${list}, 4096, 7]`)).toEqual([sampleSecret])
  expect(viewTextsOf(`[1.5, ${list}, 3.25]`).join()).toContain(sampleSecret.slice(1))
  expect(viewTextsOf(`[0x1234, ${literals(sampleSecret).join(', ')}]`)).toEqual([sampleSecret])
})

test.each([
  ['coordinates', '[1.5, 2.25, -3, 4e5, 100, 200, 300, 400, 500, 600, 700]'],
  ['small numbers', '[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]'],
  ['colours', '0xff00ff, 0x00ff00, 0x123456, 0x654321'],
])('%s are not text', (_, text) => {
  expect(viewTextsOf(text)).toEqual([])
})
