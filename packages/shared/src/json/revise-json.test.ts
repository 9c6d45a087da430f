import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { canonicalJson, type Json } from './value.ts'
import { parseJson } from './json-source.ts'
import { reviseJson } from './revise-json.ts'

const grown = `// what we agreed on
{
    "z": 1,   // stays
    /* above b */
    "b": { "c": [1, 2.50,   3], "d": {} },
    "list": [
        "one",
        // about two
        "two", // and behind it
    ],
}
`

describe('a change', () => {
  it.each<[string, Json, string, string]>([
    ['nothing', { z: 1, b: { c: [1, 2.5, 3], d: {} }, list: ['one', 'two'] }, '', ''],
    ['a value', { z: 2, b: { c: [1, 2.5, 3], d: {} }, list: ['one', 'two'] }, '"z": 1', '"z": 2'],
    [
      'an item on a line with others',
      { z: 1, b: { c: [1, 3, 4], d: {} }, list: ['one', 'two'] },
      '2.50,   3]',
      '  3, 4]',
    ],
    [
      'an item on its own line, with its comments',
      { z: 1, b: { c: [1, 2.5, 3], d: {} }, list: ['one', 'three'] },
      '// about two\n        "two", // and behind it',
      '"three",',
    ],
    [
      'a key, added last',
      { z: 1, b: { c: [1, 2.5, 3], d: {} }, list: ['one', 'two'], new: { a: [1] } },
      '    ],\n}',
      '    ],\n    "new": {\n        "a": [\n            1\n        ]\n    },\n}',
    ],
    [
      'a key, removed with its comment',
      { z: 1, list: ['one', 'two'] },
      '    /* above b */\n    "b": { "c": [1, 2.50,   3], "d": {} },\n',
      '',
    ],
  ])('%s', (_, to, before, after) => {
    expect(reviseJson(grown, to)).toBe(grown.replace(before, after))
  })

  it.each<[string, Json, string]>([
    ['{}', { a: 1 }, '{\n  "a": 1\n}'],
    ['{}\n', { a: { b: 1 } }, '{\n  "a": {\n    "b": 1\n  }\n}\n'],
    ['{\r\n\t"a": []\r\n}', { a: [1] }, '{\r\n\t"a": [\r\n\t\t1\r\n\t]\r\n}'],
    ['{"a":1}', { a: 1, b: { c: 2 } }, '{"a":1, "b": {"c":2}}'],
    ['{ "a": 1, "b": 2 }', { b: 2 }, '{ "b": 2 }'],
    ['{ "a": 1 }', {}, '{}'],
    ['\uFEFF{"a":[]}', { a: [1] }, '\uFEFF{"a":[1]}'],
    ['{ "a": 1 // one\n}', { a: 1, b: 2 }, '{ "a": 1, // one\n  "b": 2\n}'],
    ['[1, // one\n  2, 3]', [1, 3], '[1, // one\n  3]'],
    ['[1, // one\n  2]', [1], '[1 // one\n  ]'],
    ['{ // nothing yet\n}', { a: 1 }, '{\n  "a": 1 // nothing yet\n}'],
    ['{\n  "a": 1, // x\n  "b": 2\n}', { b: 2, a: 1 }, '{\n  "b": 2,\n  "a": 1 // x\n}'],
    ['{"10": 1, "2": 2}', { '2': 2, '10': 1, '1': 0 }, '{"10": 1, "2": 2, "1": 0}'],
  ])('%j', (before, to, after) => {
    expect(reviseJson(before, to)).toBe(after)
  })
})

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 1, 'x', '// no comment', '},'),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__', '1'), tie('value'), { maxKeys: 4 }),
  ),
})).value
const gaps = fc.infiniteStream(
  fc.constantFrom('', '', ' ', '\n  ', '\r\n\t', ' // x, "y": {\n', ' /* , ] */ ', '\n // z\n  '),
)

/** The value with whitespace and comments between all its parts. */
function scattered(value: Json, gap: () => string, lastComma: () => boolean): string {
  const list = (items: string[]): string =>
    items.join(`${gap()},${gap()}`) + (items.length > 0 && lastComma() ? `${gap()},${gap()}` : gap())
  if (Array.isArray(value)) return `[${gap()}${list(value.map((item) => scattered(item, gap, lastComma)))}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}${gap()}:${gap()}${scattered(item, gap, lastComma)}`,
  )
  return `{${gap()}${list(members)}}`
}

describe('a nested change in a list', () => {
  const text = `{
  "hooks": [
    { "on": "Bash", "run": [ { "type": "command", "command": "a" } ] }, // first
    { "on": "Read", "run": [ { "type": "command", "command": "b" } ] }
  ]
}
`
  it('keeps its line and its comment', () => {
    const run = (command: string, more = {}): object[] => [{ type: 'command', command, ...more }]
    const to = {
      hooks: [
        { on: 'Bash', run: run('a', { onFailure: 'block' }) },
        { on: 'Read', run: run('b') },
      ],
    }
    expect(reviseJson(text, to as Json)).toBe(
      text.replace('"command": "a" }', '"command": "a", "onFailure": "block" }'),
    )
  })

  it('is rewritten if no part remains', () => {
    const revised = reviseJson(text, { hooks: [{ on: 'Write' }, { on: 'Edit' }] })
    expect(revised).toContain('    {\n      "on": "Write"\n    },\n')
  })

  it('uses one line if its siblings do', () => {
    expect(reviseJson('{\n  "x": { "command": "a", "b": 1 }\n}', { x: { command: ['a'], b: 1 } })).toBe(
      '{\n  "x": { "command": ["a"], "b": 1 }\n}',
    )
  })
})

describe('any text', () => {
  it('has the new value afterwards, and is unchanged if the value is', () => {
    fc.assert(
      fc.property(json, json, gaps, fc.infiniteStream(fc.boolean()), (from, to, gap, commas) => {
        const next = (): string => gap.next().value ?? ''
        const text = next() + scattered(from, next, () => commas.next().value ?? false) + next()
        expect(reviseJson(text, from)).toBe(text)
        const revised = parseJson(reviseJson(text, to), { comments: true })
        expect(revised.ok && canonicalJson(revised.value)).toBe(canonicalJson(to))
      }),
      { numRuns: 2000 },
    )
  })

  it('remains plain JSON', () => {
    fc.assert(
      fc.property(json, json, fc.constantFrom('', '  ', '\t'), (from, to, indent) => {
        const revised = reviseJson(JSON.stringify(from, null, indent), to)
        expect(JSON.parse(revised)).toEqual(to)
      }),
    )
  })

  it('supports lists of any length', () => {
    const list = Array.from({ length: 30_000 }, (_, index) => `rule ${index}`)
    const to = list.map((rule, index) => (index % 7 === 0 ? `${rule}!` : rule)).toReversed()
    expect(JSON.parse(reviseJson(JSON.stringify({ list }, null, 2), { list: to }))).toEqual({ list: to })
    const one = list.with(15_000, 'another')
    const text = JSON.stringify({ list }, null, 1)
    expect(reviseJson(text, { list: one })).toBe(text.replace('"rule 15000"', '"another"'))
  })
})
