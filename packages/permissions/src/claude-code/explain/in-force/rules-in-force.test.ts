import { expect, test } from 'vitest'

import { splitFlag } from './rules-in-force.ts'

test.each([
  ['Bash', ['Bash']],
  ['Bash,Read', ['Bash', 'Read']],
  ['Bash(git a, b) Read', ['Bash(git a, b)', 'Read']],
  ['mcp__a __b', ['mcp__a', '__b']],
  ['  ', []],
])('the flag %j has the rules %j', (text, rules) => {
  expect(splitFlag(text)).toEqual(rules)
})
