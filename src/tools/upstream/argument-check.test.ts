import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { argumentCheck } from './argument-check.ts'

async function issues(inputSchema: JsonObject, args: JsonObject): Promise<unknown> {
  return (await argumentCheck({ name: 't', description: '', inputSchema }))(args)
}

const schema: JsonObject = {
  type: 'object',
  properties: { path: { type: 'string' }, lines: { type: 'array', items: { type: 'integer' } } },
  required: ['path'],
  additionalProperties: false,
}

test('accepts valid arguments', async () => {
  expect(await issues(schema, { path: 'a', lines: [1, 2] })).toEqual([])
})

test('names invalid fields, never their values', async () => {
  expect(await issues(schema, { lines: [1, 'very private'] })).toEqual([
    { field: 'path', expected: 'required' },
    { field: 'lines.1', expected: 'integer' },
  ])
  const extra = await issues(schema, { path: 'a', more: 'very private' })
  expect(extra).toHaveLength(1)
  expect(JSON.stringify(extra)).not.toContain('very private')
})

test('names unknown fields and allowed values', async () => {
  expect(await issues(schema, { path: 'a', more: 1 })).toEqual([
    { field: 'more', expected: 'no such field; known are path, lines' },
  ])
  const mode = { type: 'array', items: { type: 'object', properties: { mode: { enum: ['a', 2] } } } }
  expect(await issues({ type: 'object', properties: { mode } }, { mode: [{ mode: 'z' }] })).toEqual([
    { field: 'mode.0.mode', expected: 'one of a, 2' },
  ])
})

test('supports both JSON Schema drafts', async () => {
  const tuple = { prefixItems: [{ type: 'string' }] }
  const properties = { pair: tuple }
  expect(await issues({ type: 'object', properties }, { pair: [1] })).toHaveLength(1)
  const old = 'http://json-schema.org/draft-07/schema#'
  expect(await issues({ $schema: old, type: 'object', properties }, { pair: [1] })).toEqual([])
})

test.each<[string, JsonObject]>([
  ['cannot be read', { type: 'no such type' }],
  ['points elsewhere', { $ref: 'https://example.org/schema.json' }],
  ['is of an unknown kind', { $schema: 'https://example.org/other', type: 'object', required: ['x'] }],
])('a schema that %s checks nothing', async (_, inputSchema) => {
  expect(await issues(inputSchema, { any: 'thing' })).toEqual([])
})

const withPattern = (pattern: string): JsonObject => ({
  type: 'object',
  properties: { text: { type: 'string', pattern } },
})

test.each([
  ['^(a+)+$', 'aaa', `${'a'.repeat(50_000)}!`],
  ['^(?:a|a)*b$', 'aab', 'a'.repeat(50_000)],
  [String.raw`^\d{4}-\d{2}$`, '2026-11', '2026-1'],
  [String.raw`^[\u00e9\w/]+$`, 'é/a', 'é a'],
  ['^(?<name>[^]+)x$', 'a\nx', 'x'],
])('checks the pattern %s', async (pattern, good, bad) => {
  expect(await issues(withPattern(pattern), { text: good })).toEqual([])
  expect(await issues(withPattern(pattern), { text: bad })).toMatchObject([{ field: 'text' }])
})

test('distinguishes two patterns in one schema', async () => {
  const properties = { a: { type: 'string', pattern: '^a$' }, b: { type: 'string', pattern: '^b$' } }
  expect(await issues({ type: 'object', properties }, { a: 'a', b: 'b' })).toEqual([])
  expect(await issues({ type: 'object', properties }, { a: 'b', b: 'b' })).toMatchObject([{ field: 'a' }])
})

test.each(['(?=a)a', String.raw`(a)\1`, '^.{1,2000}$'])(
  'what cannot be checked in linear time is left to the server, and nothing else: %s',
  async (pattern) => {
    const properties = { text: { type: 'string', pattern }, count: { type: 'integer' } }
    expect(await issues({ type: 'object', properties }, { text: 'zzz', count: 1 })).toEqual([])
    expect(await issues({ type: 'object', properties }, { text: 'zzz', count: 'x' })).toMatchObject([
      { field: 'count' },
    ])
  },
)

test('matches patternProperties in linear time', async () => {
  const named = (pattern: string): JsonObject => ({
    type: 'object',
    patternProperties: { [pattern]: { type: 'integer' } },
    additionalProperties: false,
  })
  expect(await issues(named('^(x+)+$'), { xx: 1 })).toEqual([])
  expect(await issues(named('^(x+)+$'), { xx: 'y' })).toHaveLength(1)
  expect(await issues(named('^(x+)+$'), { [`${'x'.repeat(50_000)}!`]: 1 })).toHaveLength(1)
  // The known fields are then undetermined.
  expect(await issues(named('^(?!x)'), { xx: 'y' })).toEqual([])
})

test('finds duplicate items among many', async () => {
  const unique: JsonObject = { type: 'object', properties: { items: { type: 'array', uniqueItems: true } } }
  const items = Array.from({ length: 3000 }, (_, id) => ({ id, at: [id] }))
  expect(await issues(unique, { items })).toEqual([])
  expect(await issues(unique, { items: [...items, { at: [7], id: 7 }] })).toMatchObject([{ field: 'items' }])
})

test('checks the uri format of long text', async () => {
  const url: JsonObject = { type: 'object', properties: { url: { type: 'string', format: 'url' } } }
  expect(await issues(url, { url: 'https://example.org/a?b' })).toEqual([])
  expect(await issues(url, { url: `http://${':'.repeat(50_000)}` })).toMatchObject([{ field: 'url' }])
})

test('does not retry a slow schema on every call', async () => {
  // Each definition references the next one twice.
  const $defs = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/$defs/d${i + 1}` }
      return [`d${i}`, { anyOf: [next, next] }]
    }),
  )
  const endless: JsonObject = { type: 'object', $defs: { ...$defs, d40: { const: 1 } }, $ref: '#/$defs/d0' }
  const refused = [{ field: '', expected: 'arguments that can be checked in time' }]
  const check = await argumentCheck({ name: 't', description: '', inputSchema: endless })
  for (let i = 0; i < 2000; i++) expect(check({ a: 1 })).toEqual(refused)
  // Control: a smaller version of the schema works.
  expect(await issues({ ...endless, $ref: '#/$defs/d36' }, { a: 1 })).not.toEqual(refused)
})

test('does not retry slow large arguments on every call, but still checks small ones', async () => {
  // Each definition references the next one twice, so that every item takes 2^18 steps.
  const $defs = Object.fromEntries(
    Array.from({ length: 18 }, (_, i) => {
      const next = { $ref: `#/$defs/d${i + 1}` }
      return [`d${i}`, { allOf: [next, next] }]
    }),
  )
  const slow: JsonObject = {
    type: 'object',
    $defs: { ...$defs, d18: { type: 'integer' } },
    properties: { items: { type: 'array', items: { $ref: '#/$defs/d0' } }, path: { type: 'string' } },
    required: ['path'],
  }
  const refused = [{ field: '', expected: 'arguments that can be checked in time' }]
  const check = await argumentCheck({ name: 't', description: '', inputSchema: slow })
  const large = { path: 'a', items: Array.from({ length: 10_000 }, () => 1) }
  for (let i = 0; i < 200; i++) expect(check(large)).toEqual(refused)
  expect(check({ path: 'a', items: [1] })).toEqual([])
  expect(check({ items: [1] })).toEqual([{ field: 'path', expected: 'required' }])
})

test('limits the time for arguments with a million errors', async () => {
  const items = { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }] }
  const many: JsonObject = { type: 'object', properties: { items: { type: 'array', items } } }
  const found = (await issues(many, { items: Array.from({ length: 1_500_000 }, () => 1) })) as unknown[]
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThanOrEqual(20)
}, 20_000)
