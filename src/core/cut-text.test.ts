import { expect, test } from 'vitest'

import { cutText } from './cut-text.ts'

test.each([
  ['what fits stays as it is', 'abcd', 4, 'abcd'],
  ['more ends with a sign', 'abcde', 4, 'abc…'],
  ['no blank stands before it', 'ab cde', 4, 'ab…'],
  ['a character is whole', 'ab😀cd', 5, 'ab😀…'],
  ['or not there', 'ab😀cd', 4, 'ab…'],
])('%s', (_, text, most, cut) => {
  expect(cutText(text, most)).toBe(cut)
})
