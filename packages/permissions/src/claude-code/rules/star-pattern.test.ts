import { expect, test } from 'vitest'

import { matchesStars } from './star-pattern.ts'

test.each([
  ['a', 'a', true],
  ['a', 'ab', false],
  ['*', '', true],
  ['a*', 'a', true],
  ['*b', 'ab', true],
  ['a*b', 'ab', true],
  ['ab*ba', 'aba', false],
  ['a*c*e', 'abcde', true],
  ['a*e*c', 'abcde', false],
  ['a**b', 'axb', true],
  ['a?', 'ab', false],
  [`${'*a'.repeat(200)}*b`, 'a'.repeat(5000), false],
])('%s and %s: %s', (pattern, text, fits) => {
  expect(matchesStars(pattern, text)).toBe(fits)
})
