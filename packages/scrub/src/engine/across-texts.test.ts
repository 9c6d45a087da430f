import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import type { Scrubbed } from './scrubbed.ts'
import { scrubAcross } from './across-texts.ts'

/** A fake scrubber: everything between `<` and `>` is a secret. */
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
])('replaces secrets that span several of %j', (texts, expected) => {
  expect(scrubAcross(texts, scrub).texts).toEqual(expected)
})

test('leaves secrets within one text to the check of that text', () => {
  const texts = ['<a>', 'b', '<c', 'd>']
  expect(scrubAcross(texts, scrub)).toEqual({
    texts: ['<a>', 'b', '[SECRET_2]', ''],
    findings: [{ rule: 'angle', index: 2 }],
  })
  expect(scrubAcross(['<a>', 'b'], scrub)).toEqual({ texts: ['<a>', 'b'], findings: [] })
  expect(scrubAcross(['<a\n>'], scrub).findings).toEqual([])
})

test('removes nothing but secrets, wherever the texts are split', () => {
  const piece = fc.string({ unit: fc.constantFrom('<', '>', 'a'), maxLength: 6 })
  fc.assert(
    fc.property(fc.array(piece, { minLength: 2, maxLength: 6 }), (texts) => {
      const { texts: cleaned } = scrubAcross(texts, scrub)
      const outsideSecrets = (all: readonly string[]): string =>
        all
          .join('\n')
          .replace(/<[^>]*>/g, '')
          .replace(/\[SECRET_\d+\]|\n/g, '')
      expect(cleaned).toHaveLength(texts.length)
      expect(outsideSecrets(cleaned)).toBe(outsideSecrets(texts))
    }),
    { seed: 5 },
  )
})
