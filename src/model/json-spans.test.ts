import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import {
  InvalidJson,
  itemsOf,
  memberOf,
  nameAt,
  readJson,
  stringAt,
  textOf,
  type JsonNode,
} from './json-spans.ts'

/** What the nodes say about the text, as the value JSON.parse would give. */
function valueOf(text: string, node: JsonNode): unknown {
  switch (node.kind) {
    case 'string':
      return stringAt(text, node)
    case 'scalar':
      return JSON.parse(text.slice(node.start, node.end))
    case 'array':
      return node.items.map((item) => valueOf(text, item))
    case 'object':
      return Object.fromEntries(
        node.entries.map(({ key, value }) => [stringAt(text, key), valueOf(text, value)]),
      )
  }
}

test('the spans of any JSON mean what JSON.parse says', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = JSON.stringify(value, null, space)
      expect(valueOf(text, readJson(text))).toEqual(JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('a string ends at the first quote that is not escaped', () => {
  const text = String.raw`["a\"b","c\\","\\\"","é\u00e9"]`
  expect(valueOf(text, readJson(text))).toEqual(['a"b', 'c\\', '\\"', 'éé'])
})

test('members are found by their meaning, the last of several', () => {
  const text = String.raw`{"a":1,"b":"x","\u0062":"y"}`
  const root = readJson(text)
  expect(textOf(text, root, 'b')).toBe('y')
  expect(textOf(text, root, 'a')).toBeUndefined()
  expect(memberOf(text, root, 'a')?.kind).toBe('scalar')
  expect(memberOf(text, root, 'c')).toBeUndefined()
  expect(itemsOf(root)).toEqual([])
})

test('however their names are written', () => {
  const text = String.raw`{"name":"a","n\u0061me":"b","nam":"c","\u006e":"d","\"":"e","":"f"}`
  const root = readJson(text)
  const names = root.kind === 'object' ? root.entries.map(({ key }) => nameAt(text, key)) : []
  expect(names).toEqual(['name', 'name', 'nam', 'n', '"', ''])
  const found = ['name', 'nam', 'n', '"', '', String.raw`\u006e`, 'named'].map((name) =>
    textOf(text, root, name),
  )
  expect(found).toEqual(['b', 'c', 'd', 'e', 'f', undefined, undefined])
})

describe('refused', () => {
  test.each([
    '',
    '{',
    '[1,]',
    '[,1]',
    '{"a" 1}',
    '{"a":1,}',
    '{a:1}',
    '"open',
    '"open\\"',
    '01',
    '1 2',
    'nul',
    '[1}',
    '\u00a01',
    `${'['.repeat(1000)}${']'.repeat(1000)}`,
  ])('%s', (text) => {
    expect(() => readJson(text)).toThrow(InvalidJson)
  })

  test('also a string whose escapes mean nothing, when it is read', () => {
    const text = String.raw`"\x"`
    const node = readJson(text)
    expect(() => (node.kind === 'string' ? stringAt(text, node) : '')).toThrow(InvalidJson)
  })

  test('while the same without the mistake is read', () => {
    for (const text of [
      '{}',
      '[1]',
      '{"a":1}',
      '"closed\\""',
      '10',
      `${'['.repeat(500)}${']'.repeat(500)}`,
    ]) {
      expect(readJson(text).end).toBe(text.length)
    }
  })
})
