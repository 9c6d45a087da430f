import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import * as fc from 'fast-check'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'

import { percent, tokenErrors } from '../../../benchmarks/support/token-errors.ts'
import { noiseSamples } from '../../../benchmarks/support/token-noise.ts'
import { tokenSamples } from '../../../benchmarks/support/token-samples.ts'
import { estimateTokens } from './estimate.ts'

/** In these, words and noise are indistinguishable without a vocabulary, and words take precedence. */
const pricedAsWords = new Set(['Kana', 'Han'])

const pieces = Array.from('aAzQ09 \t\n\r._("\'-={}é中か한я😀─')

/** Pieces that meet at every kind of boundary the estimator knows. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(fc.constantFrom(...pieces, '  ', '\r\n', '\ud83d', 'SELECT', '\u0301'), { maxLength: 60 })
    .map((parts) => parts.join('')),
)

describe('against o200k', () => {
  const page = readFileSync(
    fileURLToPath(new URL('../../../docs/concepts/budget.md', import.meta.url)),
    'utf8',
  )

  test.each(tokenSamples())(
    '$name: never underestimated, and overestimated at most as documented',
    (category) => {
      const [mean, lowest, highest] = tokenErrors(category)
      expect(lowest).toBeGreaterThanOrEqual(0)
      expect(page).toContain(`| ${[category.name, ...[mean, lowest, highest].map(percent)].join(' | ')} |`)
    },
  )

  test.each(noiseSamples())(
    'random $name: as far off as the docs say, and low only where they say so',
    (category) => {
      const errors = tokenErrors(category)
      if (!pricedAsWords.has(category.name)) expect(errors[0]).toBeGreaterThanOrEqual(-0.02)
      expect(page).toContain(`| ${[category.name, ...errors.map(percent)].join(' | ')} |`)
    },
  )

  test.each([
    ['variation selectors', '\ufe00'],
    ['variation selectors of emoji', '\ufe0f'],
    ['control characters', '\u0001'],
    ['form feeds', '\f'],
    ['escapes behind blanks', ' \u001b'],
    ['carriage returns', '\r'],
    ['carriage returns behind blanks', ' \r'],
    ['bytes of C1', '\u0085'],
    ['signs', '⋅'],
    ['tags', '\u{e0041}'],
    ['drawn lines', '─'],
    ['line feeds', '\n'],
    ['Hangul', '뢇'],
    ['Cyrillic', 'н'],
  ])('repeated text: %s', (_, unit) => {
    const text = unit.repeat(600)
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text) * 0.98)
  })

  test('a long drawn line stays cheap', () => {
    expect(estimateTokens('─'.repeat(80))).toBeLessThan(40)
  })
})

test('only the empty text costs nothing', () => {
  expect(estimateTokens('')).toBe(0)
  fc.assert(fc.property(anyText, (text) => (estimateTokens(text) === 0) === (text === '')))
})

test('more text never costs less', () => {
  fc.assert(
    fc.property(anyText, anyText, (head, tail) => estimateTokens(head + tail) >= estimateTokens(head)),
  )
})

test('cutting a text saves at most two tokens, so separately fitting slices add up', () => {
  fc.assert(
    fc.property(
      anyText,
      anyText,
      (head, tail) => estimateTokens(head) + estimateTokens(tail) + 2 >= estimateTokens(head + tail),
    ),
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

test.each(['{}', '<>', '"\\', '\\"', '()', '}}}', '{[(<>)]}'])(
  'a long run of %s costs no less than it does',
  (marks) => {
    const text = marks.repeat(300)
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(countTokens(text))
  },
)
