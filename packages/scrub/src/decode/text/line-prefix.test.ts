import { expect, test } from 'vitest'

import { contentStart } from './line-prefix.ts'
import { sourceOf } from './source.ts'

const contentOf = (text: string): string =>
  text.slice(contentStart(sourceOf(text).bytes, 0, text.indexOf('\n') + 1))

test.each([
  ['indentation', '    abc\n    def', 'def'],
  ['a quote', '> abc\n> def', 'def'],
  ['a quote of a quote', '> > abc\n> > def', 'def'],
  ['a diff', '+abc\n+def', 'def'],
  ['a comment', '// abc\n// def', 'def'],
  ['a table', '| abc\n| def', 'def'],
  ['numbers', '   9  abc\n  10  def', 'def'],
  ['numbers with a colon', '12:abc\n13:def', 'def'],
  ['numbers and a diff', '12 + abc\n13 + def', 'def'],
  ['numbers with an arrow', '   12→abc\n   13→def', 'def'],
])('skips %s', (_, text, content) => {
  expect(contentOf(text)).toBe(content)
})

test.each([
  ['numbers that are not consecutive', '12 abc\n14 def', '14 def'],
  ['a marker that the previous line lacks', 'abc\n+def', '+def'],
  ['a path', '/usr/a\n/usr/b', '/usr/b'],
  ['digits of the content', 'abc\n123', '123'],
])('keeps %s', (_, text, content) => {
  expect(contentOf(text)).toBe(content)
})
