import { expect, it } from 'vitest'

import { toolsIn } from './markdown-head.ts'

it.each([
  ['', []],
  [' , ', []],
  ['A,B C', ['A', 'B', 'C']],
  ['Bash(a, b), C', ['Bash(a, b)', 'C']],
  ['Bash(a b', ['Bash(a b']],
  ['A(b)c(d e) f', ['A(b)c(d e)', 'f']],
])('toolsIn(%j)', (text, expected) => {
  expect(toolsIn(text)).toEqual(expected)
})
