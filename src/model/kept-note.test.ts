import { expect, test } from 'vitest'

import { keptNote } from './kept-note.ts'

test('names the tokens, but only some of very many', () => {
  const tokens = Array.from({ length: 12 }, (_, n) => `[SECRET_${n + 1}]`)
  expect(keptNote(tokens.slice(0, 2))).toContain('[SECRET_1], [SECRET_2] in this call')
  expect(keptNote(tokens)).toContain('[SECRET_10] and 2 more in this call')
})
