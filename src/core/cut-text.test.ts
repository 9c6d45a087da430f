import { expect, test } from 'vitest'

import { cutText } from './cut-text.ts'

test.each([
  ['a text that fits is unchanged', 'abcd', 4, 'abcd'],
  ['a longer text ends with an ellipsis', 'abcde', 4, 'abc…'],
  ['trailing blanks are removed before it', 'ab cde', 4, 'ab…'],
  ['a surrogate pair is kept whole', 'ab😀cd', 5, 'ab😀…'],
  ['or dropped', 'ab😀cd', 4, 'ab…'],
])('%s', (_, text, maxLength, cut) => {
  expect(cutText(text, maxLength)).toBe(cut)
})
