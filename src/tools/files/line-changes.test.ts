import { expect, test } from 'vitest'

import { lineChanges } from './line-changes.ts'

const text = (...lines: string[]): string => lines.map((line) => `${line}\n`).join('')

test.each([
  ['nothing', text('a', 'b'), text('a', 'b'), { added: 0, removed: 0 }],
  [
    'a new line',
    text('a', 'c'),
    text('a', 'b', 'c'),
    { added: 1, removed: 0, changed: { first: 2, last: 2 } },
  ],
  ['a line less', text('a', 'b', 'c'), text('a', 'c'), { added: 0, removed: 1 }],
  [
    'another line',
    text('a', 'b', 'c'),
    text('a', 'x', 'c'),
    { added: 1, removed: 1, changed: { first: 2, last: 2 } },
  ],
  ['a first text', '', text('a', 'b'), { added: 2, removed: 0, changed: { first: 1, last: 2 } }],
  ['no text left', text('a', 'b'), '', { added: 0, removed: 2 }],
  ['a final newline', 'a\nb', 'a\nb\n', { added: 1, removed: 1, changed: { first: 2, last: 2 } }],
  [
    'two places',
    text('a', 'b', 'c', 'd', 'e'),
    text('a', 'B', 'c', 'd', 'E', 'f'),
    { added: 3, removed: 2, changed: { first: 2, last: 6 } },
  ],
])('%s', (_, before, after, expected) => expect(lineChanges(before, after)).toEqual(expected))

test('texts with nothing in common are replaced as a whole', () => {
  const many = (word: string): string => text(...Array.from({ length: 5000 }, (_, n) => `${word} ${n}`))
  expect(lineChanges(many('old'), many('new'))).toMatchObject({ added: 5000, removed: 5000 })
})
