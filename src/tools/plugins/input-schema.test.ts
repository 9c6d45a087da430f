import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { compileSchema } from './input-schema.ts'

async function check(schema: JsonObject, input: JsonObject): Promise<string[]> {
  const compiled = await compileSchema(schema)
  if (!compiled.ok) throw new Error(compiled.problem)
  return compiled.schema.check(input).map(({ field, expected }) => `${field}: ${expected}`)
}

const weather: JsonObject = {
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    days: { type: 'integer', minimum: 1, maximum: 10 },
    units: { enum: ['metric', 'imperial'] },
    places: { type: 'array', items: { $ref: '#/$defs/place' } },
  },
  required: ['city'],
  additionalProperties: false,
  $defs: { place: { type: 'object', properties: { when: { type: 'string', format: 'date' } } } },
}

test('what fits passes', async () => {
  expect(
    await check(weather, { city: 'Oslo', days: 3, units: 'metric', places: [{ when: '2026-11-15' }] }),
  ).toEqual([])
})

test('says which fields are wrong and what was expected, never what stood there', async () => {
  const issues = await check(weather, {
    days: 99,
    units: 'hunter2',
    places: [{}, { when: 'hunter2' }],
    ['x'.repeat(40)]: 1,
  })
  expect(issues.sort()).toEqual([
    '(unknown): no such field',
    'city: required',
    'days: <= 10',
    'places[1].when: match format "date"',
    'units: one of "metric", "imperial"',
  ])
})

test.each<[JsonObject, RegExp]>([
  [{ type: 'object', propertys: {} }, /unknown keyword: "propertys"/],
  [{ type: 'object', properties: { a: { type: 'strin' } } }, /properties\/a\/type/],
  [{ type: 'object', properties: { a: { pattern: '(' } } }, /missing closing/],
  [{ type: 'object', properties: { a: { format: 'colour' } } }, /unknown format "colour"/],
  // Nothing is fetched for it.
  [{ type: 'object', properties: { a: { $ref: 'http://127.0.0.1:1/schema' } } }, /can't resolve reference/],
])('%j is no schema', async (schema, problem) => {
  expect(await compileSchema(schema)).toEqual({
    ok: false,
    problem: expect.stringMatching(problem) as string,
  })
})

test('no pattern is checked forever', async () => {
  const slow: JsonObject = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  expect(await check(slow, { a: `${'a'.repeat(50_000)}!` })).toEqual(['a: match pattern "^(a+)+$"'])
  expect(await check(slow, { a: 'aaa' })).toEqual([])
})

test('a pattern that needs a backtracking engine is refused', async () => {
  const around: JsonObject = { type: 'object', properties: { a: { type: 'string', pattern: '(?=a)a' } } }
  expect(await compileSchema(around)).toEqual({
    ok: false,
    problem: expect.stringContaining('pattern (?=a)a cannot be checked: ') as string,
  })
})

test('a schema that would be checked forever is given up, and the next one works', async () => {
  const definitions = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/definitions/d${i + 1}` }
      return [`d${i}`, { anyOf: [next, next] }]
    }),
  )
  const from = (first: number): JsonObject => ({
    type: 'object',
    properties: { a: { $ref: `#/definitions/d${first}` } },
    definitions: { ...definitions, d40: { const: 1 } },
  })
  expect(await check(from(0), { a: 2 })).toEqual([': an input that can be checked in time'])
  expect(await check(from(38), { a: 1 })).toEqual([])
})

test('an asynchronous schema is refused', async () => {
  expect(await compileSchema({ $async: true, type: 'object', required: ['city'] })).toMatchObject({
    ok: false,
  })
})
