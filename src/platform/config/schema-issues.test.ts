import { describe, expect, it } from 'vitest'
import * as z from 'zod'

import { schemaIssues } from './schema-issues.ts'

const schema = z.strictObject({
  color: z.enum(['red', 'green']).optional(),
  size: z.int().min(1).max(9).optional(),
  parts: z
    .record(z.string().regex(/^[a-z]+$/, 'lower case only'), z.strictObject({ weight: z.number() }))
    .optional(),
  tags: z.array(z.string()).min(1, 'the list is empty').optional(),
})

describe('schemaIssues', () => {
  it('reports nothing for a valid value', () => {
    expect(
      schemaIssues(schema, { color: 'red', size: 1, parts: { wheel: { weight: 0.5 } }, tags: ['a'] }),
    ).toEqual([])
  })

  it.each([
    [{ colour: 'red' }, ['colour'], 'key', 'unknown key "colour"; did you mean "color"?'],
    [{ zzz: 1 }, ['zzz'], 'key', 'unknown key "zzz"; valid are color, size, parts, tags'],
    [
      { parts: { wheel: { weigth: 1, weight: 1 } } },
      ['parts', 'wheel', 'weigth'],
      'key',
      'unknown key "weigth"; did you mean "weight"?',
    ],
    [{ parts: { WHEEL: { weight: 1 } } }, ['parts', 'WHEEL'], 'key', 'lower case only'],
    [{ color: 'gren' }, ['color'], 'value', 'not a valid value; did you mean "green"?'],
    [{ color: 1 }, ['color'], 'value', 'not a valid value; valid are red, green'],
    [{ size: '1' }, ['size'], 'value', 'expected a number, found a string'],
    [{ size: 1.5 }, ['size'], 'value', 'expected a whole number, found a fraction'],
    [{ size: 0 }, ['size'], 'value', 'expected at least 1'],
    [{ size: 10 }, ['size'], 'value', 'expected at most 9'],
    [{ tags: {} }, ['tags'], 'value', 'expected a list, found an object'],
    [{ tags: [] }, ['tags'], 'value', 'the list is empty'],
    [{ tags: [null] }, ['tags', 0], 'value', 'expected a string, found null'],
    [{ parts: { wheel: {} } }, ['parts', 'wheel', 'weight'], 'value', 'expected a number, found nothing'],
    [[], [], 'value', 'expected an object, found a list'],
  ])('%j', (value, path, part, message) => {
    expect(schemaIssues(schema, value)).toEqual([{ path, part, message }])
  })

  it('reports all problems at once', () => {
    const value = { colour: 1, zzz: 2, size: 'x', parts: { wheel: { weight: 'x' }, A: 1 } }
    expect(schemaIssues(schema, value).map(({ path }) => path.join('.'))).toEqual([
      'size',
      'parts.wheel.weight',
      'parts.A',
      'colour',
      'zzz',
    ])
  })
})
