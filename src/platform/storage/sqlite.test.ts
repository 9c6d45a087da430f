import { expect, test } from 'vitest'

import { hasBuiltIn } from './sqlite.ts'

test.each([
  ['20.19.0', false],
  ['22.23.3', false],
  ['24.14.9', false],
  ['24.15.0', true],
  ['26.10.0', true],
])('Node %s has a built-in SQLite that we can use: %s', (version, ready) => {
  expect(hasBuiltIn(version)).toBe(ready)
})
