import fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'

import { tokenSamples } from '../../../benchmarks/support/token-samples.ts'
import { estimateTokens } from './estimate.ts'

/** Pieces that meet at every kind of border the estimator knows. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom(...'aAzQ09 \t\n\r._("\'-={}é中か한я😀─', '  ', '\r\n', '\ud83d', 'SELECT', '\u0301'), { maxLength: 60 })
    .map((parts) => parts.join('')),
)

describe('against o200k', () => {
  test.each(tokenSamples())('$name: never under, and not far over', ({ samples }) => {
    for (const sample of samples) {
      const error = estimateTokens(sample) / countTokens(sample) - 1
      expect(error).toBeGreaterThanOrEqual(0)
      expect(error).toBeLessThan(0.6)
    }
  })
})

test('only nothing costs nothing', () => {
  expect(estimateTokens('')).toBe(0)
  fc.assert(fc.property(anyText, (text) => (estimateTokens(text) === 0) === (text === '')))
})

test('more text never costs less', () => {
  fc.assert(fc.property(anyText, anyText, (head, tail) => estimateTokens(head + tail) >= estimateTokens(head)))
})

test('cutting a text saves at most two tokens, so slices that fit one by one add up', () => {
  fc.assert(
    fc.property(anyText, anyText, (head, tail) => estimateTokens(head) + estimateTokens(tail) + 2 >= estimateTokens(head + tail)),
  )
})

test.each([
  ['letters', 'a'],
  ['noise', 'xQ7'],
  ['blanks', ' \t'],
  ['new lines', '\r\n'],
  ['marks', '-=>'],
  ['digits', '1'],
  ['combining marks', 'e\u0301'],
  ['Han', '漢'],
  ['emoji', '👩‍💻'],
  ['lone surrogates', '\ud800'],
])('a hundred times as many %s cost a hundred times as much', (_, unit) => {
  const few = estimateTokens(unit.repeat(1000))
  const many = estimateTokens(unit.repeat(100_000))
  expect(many / few).toBeGreaterThan(99)
  expect(many / few).toBeLessThan(101)
})
