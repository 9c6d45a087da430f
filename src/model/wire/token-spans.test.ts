import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { parseJsonSpans, type StringNode } from './json-spans.ts'
import { tokensInString, tokensInText, writtenInString } from './token-spans.ts'

const spansIn = (json: string) => tokensInString(json, parseJsonSpans(json) as StringNode)

test('tokens in a text are found with their offsets', () => {
  expect(tokensInText('a [SECRET_1] [SECRET_] [SECRET_22]')).toEqual([
    { token: '[SECRET_1]', start: 2, end: 12, at: 2 },
    { token: '[SECRET_22]', start: 23, end: 34, at: 23 },
  ])
})

describe('tokens in a JSON string', () => {
  test.each([
    ['"a [SECRET_1]"', ['[SECRET_1]']],
    [String.raw`"\u005bSECRET_1]"`, [String.raw`\u005bSECRET_1]`]],
    [String.raw`"\u005BSE\u0043RET\u005F\u0031\u005D"`, [String.raw`\u005BSE\u0043RET\u005F\u0031\u005D`]],
    [String.raw`"\\[SECRET_1]"`, ['[SECRET_1]']],
    [String.raw`"\\u005bSECRET_1]"`, []],
    [String.raw`"\\\u005bSECRET_1]"`, [String.raw`\u005bSECRET_1]`]],
    [String.raw`"\n[SECRET_1]\"[SECRET_2]"`, ['[SECRET_1]', '[SECRET_2]']],
    [String.raw`"[SECRET_1\n]"`, []],
  ])('%s', (json, written) => {
    expect(spansIn(json).map(({ start, end }) => json.slice(start, end))).toEqual(written)
    for (const { token, at } of spansIn(json))
      expect((JSON.parse(json) as string).startsWith(token, at)).toBe(true)
  })

  test('are replaced as in the decoded text, however it is escaped', () => {
    const escaped = (character: string): string =>
      `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    const part = fc.constantFrom(
      '[SECRET_1]',
      '[SECRET_',
      '1]',
      '[',
      '\\',
      '"',
      'u005b',
      '\n',
      'é',
      '💥',
      'text',
    )
    fc.assert(
      fc.property(fc.array(part), fc.infiniteStream(fc.boolean()), fc.string(), (parts, coins, value) => {
        const text = parts.join('')
        const json = `"${Array.from(text, (one) => (one.length === 1 && coins.next().value === true ? escaped(one) : writtenInString(one))).join('')}"`
        let restored = json
        for (const { start, end } of spansIn(json).toReversed())
          restored = restored.slice(0, start) + writtenInString(value) + restored.slice(end)
        expect(JSON.parse(restored)).toBe(text.replaceAll('[SECRET_1]', () => value))
      }),
      { numRuns: 1000 },
    )
  })
})
