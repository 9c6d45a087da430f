import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Scrubbed } from './scrubbed.ts'
import { scrubAcross } from './across-texts.ts'

/** Stands in for the scrubber: a secret is whatever stands between `<` and `>`. */
function scrub(text: string): Scrubbed {
  const findings = [...text.matchAll(/<[^>]*>/g)].map(({ index, 0: { length } }, n) => ({
    rule: 'angle',
    start: index,
    end: index + length,
    token: `[SECRET_${n + 1}]`,
  }))
  return { text, findings }
}

test.each([
  [
    ['a <b', 'c', 'd> e'],
    ['a [SECRET_1]', '', ' e'],
  ],
  [
    ['<a', 'b> <c', 'd>'],
    ['[SECRET_1]', ' [SECRET_2]', ''],
  ],
  [
    ['x', '<', '', '>', 'y'],
    ['x', '[SECRET_1]', '', '', 'y'],
  ],
])('what lies in several of %j is taken', (texts, expected) => {
  expect(scrubAcross(texts, scrub).texts).toEqual(expected)
})

test('what lies in one is left to whoever looks at that one', () => {
  const texts = ['<a>', 'b', '<c', 'd>']
  expect(scrubAcross(texts, scrub)).toEqual({
    texts: ['<a>', 'b', '[SECRET_2]', ''],
    findings: [{ rule: 'angle', index: 2 }],
  })
  expect(scrubAcross(['<a>', 'b'], scrub)).toEqual({ texts: ['<a>', 'b'], findings: [] })
  expect(scrubAcross(['<a\n>'], scrub).findings).toEqual([])
})

test('nothing but secrets is lost, wherever they are cut', () => {
  const piece = fc.string({ unit: fc.constantFrom('<', '>', 'a'), maxLength: 6 })
  fc.assert(
    fc.property(fc.array(piece, { minLength: 2, maxLength: 6 }), (texts) => {
      const { texts: cleaned } = scrubAcross(texts, scrub)
      const outside = (all: readonly string[]): string =>
        all
          .join('\n')
          .replace(/<[^>]*>/g, '')
          .replace(/\[SECRET_\d+\]|\n/g, '')
      expect(cleaned).toHaveLength(texts.length)
      expect(outside(cleaned)).toBe(outside(texts))
    }),
    { seed: 5 },
  )
})
