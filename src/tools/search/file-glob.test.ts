import { expect, test } from 'vitest'

import { readFileGlob } from './file-glob.ts'

test.each([
  ['*.{ts,tsx}', 'src/a.tsx', true],
  ['*.{ts,tsx}', 'src/a.js', false],
  ['{a,b{1,2}}.md', 'b2.md', true],
  ['{a,b{1,2}}.md', 'b.md', false],
  ['/a.md', 'sub/a.md', false],
  ['#a', '#a', true],
  ['!#a', '#a', false],
  [String.raw`\{a,b\}`, '{a,b}', true],
  ['[a-c].md', 'b.md', true],
  ['src/', 'src/a.md', false],
  ['./a.md', 'a.md', true],
  ['./a.md', 'sub/a.md', false],
  ['./src/**/*.md', 'src/x/a.md', true],
  ['!./a.md', 'a.md', false],
  ['{./a,b}.md', 'a.md', true],
  ['..a.md', '..a.md', true],
])('%s and %s: %s', (glob, name, expected) => {
  expect(readFileGlob(glob)?.matches(name)).toBe(expected)
})

test.each(['', '!', '../a', 'src/../a', '{a,../b}', '{a', '[a', '{a,{b}', '{a,b}'.repeat(7)])(
  '%s is not a glob',
  (glob) => {
    expect(readFileGlob(glob)).toBeUndefined()
  },
)

test('the last part is given only if every engine reads it the same way', () => {
  expect(readFileGlob('src/**/*.{ts,tsx}')?.namePattern).toBe('*.{ts,tsx}')
  for (const glob of ['src/**', '!*.ts', '*.[ch]', '{src/*.ts,*.md}', 'a:b', String.raw`\*`])
    expect(readFileGlob(glob)?.namePattern, glob).toBeUndefined()
})
