import { describe, expect, test } from 'vitest'

import type { ChangedText } from '../core/checks.ts'
import { InvalidJson } from './wire/json-spans.ts'
import { readContent, type ContentOptions } from './string-content.ts'

const options: ContentOptions = { form: 'text', key: 'k', restored: [] }

/** Replaces a word in each text, like a check does. */
function masked(literal: string, given: Partial<ContentOptions>) {
  const { texts, write } = readContent(literal, { ...options, ...given })
  const changed = texts.map(({ text }): ChangedText | undefined =>
    text.includes('hunter2') ? { text: text.replaceAll('hunter2', '[SECRET_1]'), rules: ['r'] } : undefined,
  )
  return { texts, result: write(changed) }
}

describe('a plain text', () => {
  test('is one text with its field name', () => {
    expect(masked('"a \\u0068unter2 b"', {})).toEqual({
      texts: [{ text: 'a hunter2 b', key: 'k' }],
      result: { literal: '"a [SECRET_1] b"', rules: ['r'] },
    })
    expect(masked('"a \\u0068 b"', {}).result).toBe(null)
  })

  test('with restored values contains their tokens before it is checked', () => {
    const restored = [{ token: '[SECRET_2]', value: 'weak' }]
    expect(masked('"weak hunter2"', { restored })).toEqual({
      texts: [{ text: '[SECRET_2] hunter2', key: 'k' }],
      result: { literal: '"[SECRET_2] [SECRET_1]"', rules: ['restored-value', 'r'] },
    })
    expect(masked('"weak"', { restored }).result).toEqual({
      literal: '"[SECRET_2]"',
      rules: ['restored-value'],
    })
  })

  test('with an invalid escape is not JSON', () => {
    expect(() => masked('"\\x"', {})).toThrow(InvalidJson)
  })
})

describe('base64', () => {
  const literalOf = (text: string, head = ''): string =>
    JSON.stringify(head + Buffer.from(text).toString('base64'))

  test('is decoded for checking and encoded again', () => {
    expect(masked(literalOf('ü hunter2'), { form: 'base64' })).toEqual({
      texts: [{ text: 'ü hunter2', key: undefined }],
      result: { literal: literalOf('ü [SECRET_1]'), rules: ['r'] },
    })
    expect(masked(literalOf('ü'), { form: 'base64' }).result).toBe(null)
  })

  test('of a data URL keeps its head', () => {
    const head = 'data:text/plain;base64,'
    expect(masked(literalOf('hunter2', head), { form: 'base64' }).result?.literal).toBe(
      literalOf('[SECRET_1]', head),
    )
  })

  test('may contain line breaks; other text is not base64', () => {
    const broken = literalOf('hunter2 again').replace(/^"(.{4})/, '"$1\\n')
    expect(masked(broken, { form: 'base64' }).texts).toEqual([{ text: 'hunter2 again', key: undefined }])
    expect(masked('"no base64: hunter2"', { form: 'base64' }).texts).toEqual([
      { text: 'no base64: hunter2', key: 'k' },
    ])
  })

  test('with content after its end is treated as text completely', () => {
    const text = Buffer.from('hi').toString('base64') + Buffer.from('hunter2').toString('base64')
    expect(masked(JSON.stringify(text), { form: 'base64' }).texts).toEqual([{ text, key: 'k' }])
  })

  test('of bytes that are not UTF-8 keeps those that are not replaced', () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xe9, 0]), Buffer.from('hunter2')])
    const { result } = masked(JSON.stringify(bytes.toString('base64')), { form: 'base64' })
    const written = Buffer.from(JSON.parse(result!.literal) as string, 'base64')
    expect(written.equals(Buffer.concat([Buffer.from([0xff, 0xe9, 0]), Buffer.from('[SECRET_1]')]))).toBe(
      true,
    )
  })
})

describe('JSON in a string', () => {
  const inner = '{ "password":"hunter2", "list":["a",1e3,"\\u0068unter2"],\n"hunter2":{"deep":true} }'

  test('is checked string by string including field names', () => {
    const { texts, result } = masked(JSON.stringify(inner), { form: 'json' })
    expect(texts).toEqual([
      { text: 'password', key: undefined },
      { text: 'hunter2', key: 'password' },
      { text: 'list', key: undefined },
      { text: 'a', key: 'list' },
      { text: 'hunter2', key: 'list' },
      { text: 'hunter2', key: undefined },
      { text: 'deep', key: undefined },
    ])
    expect(JSON.parse(result!.literal)).toBe(
      '{ "password":"[SECRET_1]", "list":["a",1e3,"[SECRET_1]"],\n"[SECRET_1]":{"deep":true} }',
    )
    expect(result!.rules).toEqual(['r', 'r', 'r'])
  })

  test('has tokens of restored values in its values, but not in its field names', () => {
    const restored = [{ token: '[SECRET_2]', value: 'content' }]
    const { result } = masked(JSON.stringify('{"content":"content"}'), { form: 'json', restored })
    expect(JSON.parse(result!.literal)).toBe('{"content":"[SECRET_2]"}')
  })

  test.each(['{"cut": "hunter2', '{"a":"\\x hunter2"}', ''])(
    'that is invalid is treated as plain text: %j',
    (text) => {
      expect(masked(JSON.stringify(text), { form: 'json' }).texts).toEqual([{ text, key: 'k' }])
    },
  )
})
