import { expect, test } from 'vitest'

import type { JsonObject } from '../../core/json.ts'
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

test('what fits passes', async () => {
  expect(await issues(schema, { path: 'a', lines: [1, 2] })).toEqual([])
})

test('what does not fit is named, never what stood there', async () => {
  expect(await issues(schema, { lines: [1, 'very private'] })).toEqual([
    { field: 'path', expected: 'required' },
    { field: 'lines.1', expected: 'integer' },
  ])
  const extra = await issues(schema, { path: 'a', more: 'very private' })
  expect(extra).toHaveLength(1)
  expect(JSON.stringify(extra)).not.toContain('very private')
})

test('what is not known and what may be chosen is named', async () => {
  expect(await issues(schema, { path: 'a', more: 1 })).toEqual([
    { field: 'more', expected: 'no such field; known are path, lines' },
  ])
  const mode = { type: 'array', items: { type: 'object', properties: { mode: { enum: ['a', 2] } } } }
  expect(await issues({ type: 'object', properties: { mode } }, { mode: [{ mode: 'z' }] })).toEqual([
    { field: 'mode.0.mode', expected: 'one of a, 2' },
  ])
})

test('both drafts are read by their own rules', async () => {
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

test('a pattern that never ends does not hold anything up', async () => {
  const properties = { text: { type: 'string', pattern: '^(a+)+$' } }
  expect(await issues({ type: 'object', properties }, { text: `${'a'.repeat(40)}!` })).toMatchObject([
    { expected: expect.stringContaining('in time') as string },
  ])
  expect(await issues({ type: 'object', properties }, { text: 'aaa' })).toEqual([])
})

test('arguments that would have a million things wrong with them are checked against the clock', async () => {
  const items = { anyOf: [{ type: 'string' }, { type: 'object' }, { type: 'null' }] }
  const many: JsonObject = { type: 'object', properties: { items: { type: 'array', items } } }
  const found = (await issues(many, { items: Array.from({ length: 1_500_000 }, () => 1) })) as unknown[]
  expect(found.length).toBeGreaterThan(0)
  expect(found.length).toBeLessThanOrEqual(20)
}, 20_000)
