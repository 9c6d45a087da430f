import { expect, test } from 'vitest'

import { ownString } from './own-string.ts'

test.each(['', 'plain', 'café', '東京', '😀 and \ud800 alone', '\0'])('%j is unchanged', (text) => {
  expect(ownString(text)).toBe(text)
})
