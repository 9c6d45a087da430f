import * as fc from 'fast-check'
import { expect, test } from 'vitest'

import {
  InvalidJson,
  memberOf,
  nameAt,
  parseJsonSpans,
  stringAt,
  memberText,
  type JsonNode,
} from './json-spans.ts'

/** The value that the spans represent, read span by span. */
function valueOf(text: string, node: JsonNode): unknown {
  if (node.kind === 'string') return stringAt(text, node)
  if (node.kind === 'scalar') return JSON.parse(text.slice(node.start, node.end))
  if (node.kind === 'array') return node.items.map((item) => valueOf(text, item))
  return Object.fromEntries(node.entries.map(({ key, value }) => [nameAt(text, key), valueOf(text, value)]))
}

test('reads the same as JSON.parse', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, undefined, space)
      expect(valueOf(text, parseJsonSpans(text))).toEqual(JSON.parse(text))
    }),
  )
})

test.each([
  '',
  '{',
  '[1,]',
  '{"a":1,}',
  '{a:1}',
  '"',
  '"\\"',
  '01',
  'nul',
  '1 2',
  '[1}',
  `${'['.repeat(600)}${']'.repeat(600)}`,
])('rejects %j', (text) => {
  expect(() => parseJsonSpans(text)).toThrow(InvalidJson)
})

test.each(['{}', '[1]', '{"a":1}', '"closed\\""', '10', `${'['.repeat(500)}${']'.repeat(500)}`])(
  'accepts %j',
  (text) => {
    expect(parseJsonSpans(text).end).toBe(text.length)
  },
)

test('a string ends at the first unescaped quote', () => {
  const text = String.raw`["a\"b","c\\","\\\"","é\u00e9"]`
  expect(valueOf(text, parseJsonSpans(text))).toEqual(['a"b', 'c\\', '\\"', 'éé'])
})

test('a string with invalid escapes is rejected when it is read', () => {
  const text = String.raw`"\x"`
  expect(() => valueOf(text, parseJsonSpans(text))).toThrow(InvalidJson)
})

test('finds members by name in any notation, and the last of duplicates', () => {
  const text = '{"name":"a","n\\u0061me":"b","nam":"c","\\u006e":"d","\\"":"e"}'
  const root = parseJsonSpans(text)
  expect(memberText(text, root, 'name')).toBe('b')
  expect(memberText(text, root, 'nam')).toBe('c')
  expect(memberText(text, root, 'n')).toBe('d')
  expect(memberText(text, root, '"')).toBe('e')
  expect(memberOf(text, root, '\\u006e')).toBe(undefined)
  expect(memberOf(text, root, 'nothing')).toBe(undefined)
})
