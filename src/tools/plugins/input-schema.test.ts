import { expect, test } from 'vitest'

import type { JsonObject } from '../../core/json.ts'
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
  [{ type: 'object', properties: { a: { pattern: '(' } } }, /Unterminated group/],
  [{ type: 'object', properties: { a: { format: 'colour' } } }, /unknown format "colour"/],
  // Nothing is fetched for it.
  [{ type: 'object', properties: { a: { $ref: 'http://127.0.0.1:1/schema' } } }, /can't resolve reference/],
])('%j is no schema', async (schema, problem) => {
  expect(await compileSchema(schema)).toEqual({
    ok: false,
    problem: expect.stringMatching(problem) as string,
  })
})

test('a schema that would be checked forever is given up, and the next one works', async () => {
  const endless: JsonObject = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } }
  expect(await check(endless, { a: `${'a'.repeat(60)}!` })).toEqual([
    ': an input that can be checked in time',
  ])
  expect(await check(endless, { a: 'aaa' })).toEqual([])
})

test('one that would answer later is none: nobody waits for it', async () => {
  expect(await compileSchema({ $async: true, type: 'object', required: ['city'] })).toMatchObject({
    ok: false,
  })
})
