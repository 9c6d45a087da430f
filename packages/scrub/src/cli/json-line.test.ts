import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'

import { mapStrings, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Scrubbed } from '../engine/scrubbed.ts'
import { scrubJsonLine } from './json-line.ts'

/** Fake scrubber: `hush` is a secret, and so is every value of `password`. */
function scrub(text: string, key?: string): Scrubbed {
  if (key === 'password') {
    return { text: '[SECRET_2]', findings: [{ rule: 'p', start: 0, end: text.length, token: '[SECRET_2]' }] }
  }
  const findings = [...text.matchAll(/hush/g)].map(({ index }) => ({
    rule: 'h',
    start: index,
    end: index + 4,
    token: '[SECRET_1]',
  }))
  return { text: text.replaceAll('hush', '[SECRET_1]'), findings }
}

const found = '[{"rule":"h","start":2,"end":6,"token":"[SECRET_1]"}]'

describe('an object with a text', () => {
  test.each([
    ['is scrubbed, with its findings', '{"text":"a hush"}', `{"text":"a [SECRET_1]","findings":${found}}`],
    ['has no findings if nothing is found', '{"text":"a b"}', '{"text":"a b","findings":[]}'],
    [
      'has its other strings and keys scrubbed, without findings',
      '{"hush":1,"a":["hush",{"b":"hush"}],"text":"x"}',
      '{"[SECRET_1]":1,"a":["[SECRET_1]",{"b":"[SECRET_1]"}],"text":"x","findings":[]}',
    ],
    [
      'passes the key of each string',
      '{"password":["a","b"],"x":{"password":"c"},"text":"x"}',
      '{"password":["[SECRET_2]","[SECRET_2]"],"x":{"password":"[SECRET_2]"},"text":"x","findings":[]}',
    ],
    [
      'preserves numbers, spaces and escapes exactly',
      ' { "n" : 12345678901234567890 , "e":1.0e5,"u":"\\u00e9\\/", "text" : "\\u0061" } \r',
      ' { "n" : 12345678901234567890 , "e":1.0e5,"u":"\\u00e9\\/", "text" : "\\u0061" ,"findings":[]} \r',
    ],
    [
      'has its own findings replaced',
      '{"findings":[{"x":"hush"},"a,b"],"text":"a hush","z":1}',
      `{"findings":${found},"text":"a [SECRET_1]","z":1}`,
    ],
    [
      'preserves nested findings',
      '{"a":{"findings":["hush"]},"text":"x"}',
      '{"a":{"findings":["[SECRET_1]"]},"text":"x","findings":[]}',
    ],
    [
      'may have two texts: the last one applies, both are scrubbed',
      '{"text":"hush","text":"a hush"}',
      `{"text":"[SECRET_1]","text":"a [SECRET_1]","findings":${found}}`,
    ],
    [
      'may have escapes in the key',
      '{"te\\u0078t":"a hush"}',
      `{"te\\u0078t":"a [SECRET_1]","findings":${found}}`,
    ],
    [
      'may contain a lone surrogate',
      '{"text":"a hush\\ud800"}',
      `{"text":"a [SECRET_1]\\ud800","findings":${found}}`,
    ],
    [
      'may end in backslashes',
      '{"text":"a hush\\\\","b":"\\\\\\""}',
      `{"text":"a [SECRET_1]\\\\","b":"\\\\\\"","findings":${found}}`,
    ],
  ])('%s', (_, line, scrubbed) => {
    expect(scrubJsonLine(line, scrub)).toBe(scrubbed)
  })

  it('may have a secret split across the strings of a list', () => {
    const scrubSplit = (text: string): Scrubbed => {
      const start = text.indexOf('hu\nsh')
      const findings = start < 0 ? [] : [{ rule: 'h', start, end: start + 5, token: '[SECRET_1]' }]
      return { text: text.replace('hu\nsh', '[SECRET_1]'), findings }
    }
    expect(scrubJsonLine('{"a":["x hu", "sh y",[],"z"],"b":["hu",["sh"]],"text":""}', scrubSplit)).toBe(
      '{"a":["x [SECRET_1]", " y",[],"z"],"b":["hu",["sh"]],"text":"","findings":[]}',
    )
  })

  it('has its text scrubbed first, wherever it is', () => {
    const seen: string[] = []
    scrubJsonLine('{"a":"1","text":"2","b":"3"}', (text) => {
      seen.push(text)
      return { text, findings: [] }
    })
    expect(seen).toEqual(['2', 'a', '1', 'text', 'b', '3'])
  })

  it('matches the scrubbed parsed object, for any object', () => {
    const json = fc.json({ maxDepth: 4, stringUnit: 'binary' })
    const object = fc.tuple(fc.string({ unit: fc.constantFrom('hush', 'a', '"', '\\', ',', '}') }), json)
    fc.assert(
      fc.property(object, fc.constantFrom(0, 1), ([text, other], indent) => {
        const input = { other: JSON.parse(other) as Json, text, password: ['x'] }
        const line = JSON.stringify(input, null, indent).replaceAll('\n', ' ')
        const expected: JsonObject = mapStrings(input, (value, key) => scrub(value, key).text) as JsonObject
        const { findings } = scrub(text)
        expect(JSON.parse(scrubJsonLine(line, scrub)!)).toEqual({ ...expected, findings })
      }),
      { numRuns: 300, seed: 7 },
    )
  })
})

test.each([
  ['no JSON', '{"text":"a hush"'],
  ['two values', '{"text":"a"} {"text":"b"}'],
  ['a string', '"hush"'],
  ['a list', '[{"text":"hush"}]'],
  ['null', 'null'],
  ['without a text', '{"txt":"hush"}'],
  ['with a text that is not a string', '{"text":["hush"]}'],
  ['with a nested text', '{"a":{"text":"hush"}}'],
  ['whose text is inherited', '{"__proto__":{"text":"hush"}}'],
])('a line %s is rejected', (_, line) => {
  expect(scrubJsonLine(line, scrub)).toBeUndefined()
})

it('a line may be long, deep and full of escapes', () => {
  const text = String.raw`\"\\`.repeat(500_000)
  expect(scrubJsonLine(`{"text":"${text}"}`, scrub)).toBe(`{"text":"${text}","findings":[]}`)
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  expect(scrubJsonLine(`{"a":${deep},"text":""}`, scrub)).toBe(`{"a":${deep},"text":"","findings":[]}`)
})
