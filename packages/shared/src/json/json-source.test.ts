import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import {
  maxJsonDepth,
  maxJsonLength,
  parseJson,
  type JsonDocument,
  type JsonLeniency,
} from './json-source.ts'

function accepted(text: string, leniency: JsonLeniency = {}): JsonDocument {
  const parsed = parseJson(text, leniency)
  if (!parsed.ok) throw new Error(`${parsed.line}:${parsed.column} ${parsed.message}`)
  return parsed
}

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    const text = ' { "a": [1, -0.5e3, true, false, null, "\\u00e9\\n"], "": {} }\r\n'
    expect(accepted(text).value).toEqual(JSON.parse(text))
  })

  it('locates each value and key', () => {
    const { locate } = accepted('{\n  "a": {\n    "b": [10,\n      20]\n  }\n}')
    expect(locate([])).toEqual({ line: 1, column: 1 })
    expect(locate(['a', 'b', 1])).toEqual({ line: 4, column: 7 })
    expect(locate(['a', 'b'])).toEqual({ line: 3, column: 10 })
    expect(locate(['a', 'b'], 'key')).toEqual({ line: 3, column: 5 })
    expect(locate(['a', 'c'])).toBeUndefined()
    expect(locate(['a', 'b', '1'])).toBeUndefined()
  })

  it.each([
    ['', 1, 1, 'expected a value, found the end of the text'],
    ['{"a":1,}', 1, 8, 'expected a key, found "}"'],
    ['{a:1}', 1, 2, 'expected a key or "}", found "a"'],
    ['[1 2]', 1, 4, 'expected "," or "]", found "2"'],
    ['[1,]', 1, 4, 'expected a value, found "]"'],
    ['{"a"\n 1}', 2, 2, 'expected ":", found "1"'],
    ['{"a": 1 "b": 2}', 1, 9, 'expected "," or "}", found "\\""'],
    ['01', 1, 2, 'expected the end of the text, found "1"'],
    ['"a', 1, 3, 'expected the closing quote, found the end of the text'],
    ['"a\tb"', 1, 3, 'expected an escaped control character, found "\\t"'],
    ['"\\x"', 1, 2, 'unknown escape in a string'],
    ['{"a": undefined}', 1, 7, 'expected a value, found "undefined"'],
    ['{"a": 1,\n "b": 2,\n "a": 3}', 3, 2, 'the key "a" is given twice'],
    ['{"a": 1, "\\u0061": 3}', 1, 10, 'the key "a" is given twice'],
  ])('refuses %j at %d:%d', (text, line, column, message) => {
    expect(parseJson(text)).toEqual({ ok: false, line, column, message })
  })

  it('accepts a byte order mark and does not count it', () => {
    expect(accepted('\uFEFF{"a": 1}').locate(['a'])).toEqual({ line: 1, column: 7 })
  })

  it('keeps __proto__ as data', () => {
    const { value, locate } = accepted('{"__proto__": {"polluted": true}}')
    expect(Object.keys(value as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(locate(['__proto__', 'polluted'])).toEqual({ line: 1, column: 28 })
  })

  it('bounds depth and length', () => {
    const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
    expect(parseJson(nested(maxJsonDepth)).ok).toBe(true)
    expect(parseJson(nested(maxJsonDepth + 1))).toMatchObject({ ok: false, column: maxJsonDepth + 1 })
    expect(parseJson(nested(1_000_000))).toMatchObject({ ok: false })
    expect(parseJson(`"${'a'.repeat(maxJsonLength)}"`)).toMatchObject({ ok: false, line: 1, column: 1 })
    expect(parseJson(`"${'a'.repeat(maxJsonLength - 2)}"`).ok).toBe(true)
  })

  it('reads deeply nested values as null if enabled, and only if they are valid JSON', () => {
    const around = (inside: string): string =>
      `{"x": ${'['.repeat(5000)}${inside}${']'.repeat(5000)}, "y": 1}`
    const text = around('"] } \\" [", {}')
    expect(parseJson(text)).toMatchObject({ ok: false, message: 'nested deeper than 64 levels' })
    const { value, locate } = accepted(text, { deep: true })
    expect(value).toMatchObject({ y: 1 })
    expect((value as { x: unknown[] }).x.flat(maxJsonDepth)).toEqual([null])
    expect(locate(['y'], 'key')).toEqual({ line: 1, column: text.indexOf('"y"') + 1 })
    for (const wrong of ['}', '"', '1,', '{"a"}', 'x'])
      expect(parseJson(around(wrong), { deep: true })).toMatchObject({ ok: false })
  })

  it('parses everything JSON.stringify writes, with correct positions', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom('', '  ', '\r\n\t'), (text, indent) => {
        const value: unknown = JSON.parse(text)
        const pretty = JSON.stringify(value, null, indent)
        expect(accepted(pretty).value).toEqual(value)
      }),
    )
  })

  it('accepts and rejects what JSON.parse does, except for duplicate keys and depth', () => {
    const scraps = fc.constantFrom(
      ...'{ } [ ] , : " "a" "b": \\ \\u00 0 1 - . e + true nul __proto__'.split(' '),
      ...' \n\u0000\u2028\uFEFF\ud800'.split(''),
    )
    const texts = fc.oneof(
      fc.array(scraps, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
      // A valid document with one character changed.
      fc.tuple(fc.json(), fc.nat(), scraps).map(([text, at, scrap]) => {
        const cut = at % (text.length + 1)
        return text.slice(0, cut) + scrap + text.slice(cut + 1)
      }),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseJson(text)
        let expected: { value: unknown } | undefined
        try {
          expected = { value: JSON.parse(text.replace(/^\uFEFF/, '')) }
        } catch {
          expected = undefined
        }
        if (parsed.ok) expect({ value: parsed.value }).toEqual(expected)
        else if (!/given twice|nested deeper/.test(parsed.message)) expect(expected).toBeUndefined()
      }),
      { numRuns: 2000 },
    )
  })

  it('reads comments and trailing commas only if enabled', () => {
    const text = '// top\n{ "a": [1, /* , 2 */ ], "b//": "/* c */", // end\n}\n'
    expect(parseJson(text, { comments: true })).toMatchObject({ value: { a: [1], 'b//': '/* c */' } })
    expect(parseJson(text)).toMatchObject({ ok: false, line: 1, column: 1 })
    for (const broken of ['{,}', '[,]', '[1,,]', '[1] /* open', '{"a": 1 / 2}']) {
      expect(parseJson(broken, { comments: true })).toMatchObject({ ok: false })
    }
  })

  it('accepts duplicate keys only if enabled, and reports the overridden ones', () => {
    const text = '{"a": {"b": 1,\n "b": 2}, "c": 0,\n "a": 4, "a": 5}'
    const read = parseJson(text, { duplicates: true })
    if (!read.ok) throw new Error(read.message)
    expect(read.value).toEqual(JSON.parse(text))
    expect(read.locate(['a'])).toEqual({ line: 3, column: 15 })
    expect(read.voided).toEqual([
      { key: 'b', line: 1, column: 8 },
      { key: 'a', line: 1, column: 2 },
      { key: 'a', line: 3, column: 2 },
    ])
    expect(parseJson(text)).toMatchObject({ ok: false })
    expect(accepted('{"a": 1}').voided).toEqual([])
  })
})
