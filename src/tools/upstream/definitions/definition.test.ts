import { expect, it } from 'vitest'

import type { Json } from '@contextd/shared/json/value'
import { readDefinitions, withoutInvisible, type UpstreamTool } from './definition.ts'

const whole = {
  name: 'add',
  title: 'Add',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: true },
  icons: [{ src: 'data:,' }],
  execution: { taskSupport: 'optional' },
  _meta: { 'example.com/x': 1 },
}

it('preserves all protocol fields of a tool and no others', () => {
  expect(readDefinitions([{ ...whole, extra: 1 }])).toEqual({ tools: [whole], dropped: [] })
})

it('reads a minimal tool', () => {
  const entry = { name: 'add', description: null, annotations: null, inputSchema: { type: 'object' } }
  expect(readDefinitions([entry]).tools).toEqual([
    { name: 'add', description: '', inputSchema: { type: 'object' } },
  ])
})

const nested = (levels: number): Json => (levels === 0 ? 'x' : [nested(levels - 1)])

it.each<[string, Json, RegExp]>([
  ['text', 'add', /no name/],
  ['null', null, /no name/],
  ['a list', [whole], /no name/],
  ['no name', { ...whole, name: 7 }, /no name/],
  ['an empty name', { ...whole, name: '' }, /no name/],
  ['a long name', { ...whole, name: 'a'.repeat(129) }, /longer than 128/],
  ['a control character in its name', { ...whole, name: 'a\u0007b' }, /invisible characters/],
  ['a line break in its name', { ...whole, name: 'a\nb' }, /invisible characters/],
  ['an invisible character in its name', { ...whole, name: 'a\u200Bdd' }, /invisible characters/],
  ['no input schema', { name: 'add' }, /inputSchema/],
  ['a list as input schema', { ...whole, inputSchema: [] }, /inputSchema/],
  ['an input that is no object', { ...whole, inputSchema: { type: 'string' } }, /inputSchema/],
  ['a description that is no text', { ...whole, description: {} }, /description is not text/],
  ['an output schema that is no object', { ...whole, outputSchema: 'x' }, /outputSchema is not an object/],
  ['icons that are no list', { ...whole, icons: {} }, /icons/],
  ['a great size', { ...whole, description: 'x'.repeat(70_000) }, /larger than 64 KB/],
  ['a great depth', { ...whole, annotations: { x: nested(200) } }, /nested/],
])('drops an entry with %s, and says why', (_, entry, why) => {
  const { tools, dropped } = readDefinitions([entry, { ...whole, name: 'other' }])
  expect(tools.map(({ name }) => name)).toEqual(['other'])
  expect(dropped).toEqual([{ name: expect.any(String), why: expect.stringMatching(why) }])
  expect(dropped[0]?.name).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})

it('survives nesting that would overflow the stack', () => {
  const deep = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`) as Json
  expect(readDefinitions([{ ...whole, _meta: { deep } }]).tools).toEqual([])
})

it('defaults a missing inputSchema type to object', () => {
  const { tools } = readDefinitions([{ name: 'add', inputSchema: { properties: {} } }])
  expect(tools).toMatchObject([{ inputSchema: { type: 'object', properties: {} } }])
})

it('keeps the first of two tools with the same name', () => {
  const { tools, dropped } = readDefinitions([whole, { ...whole, description: 'Another.' }])
  expect(tools).toEqual([whole])
  expect(dropped).toEqual([{ name: 'add', why: expect.stringContaining('same name') }])
})

it('stops at a thousand tools', () => {
  const { tools, dropped } = readDefinitions(
    Array.from({ length: 1005 }, (_, n) => ({ ...whole, name: `t${n}` })),
  )
  expect(tools).toHaveLength(1000)
  expect(dropped).toEqual([{ name: '5 more', why: 'more than 1000 tools' }])
})

it('stops when all tools together are too large', () => {
  const large = Array.from({ length: 30 }, (_, n) => ({
    ...whole,
    name: `t${n}`,
    description: 'x'.repeat(60_000),
  }))
  const { tools, dropped } = readDefinitions(large)
  expect(tools).toHaveLength(18)
  expect(dropped).toHaveLength(12)
  expect(dropped[0]).toEqual({ name: 't18', why: 'the tools before it are too large' })
})

it('removes invisible characters from all text', () => {
  const tool: UpstreamTool = {
    ...whole,
    title: 'A\u202Edd',
    description: 'Adds\u{E0041}\u{E0042} two\u2028numbers ⚠️.',
    inputSchema: {
      type: 'object',
      properties: { 'a\u200B': { enum: ['x\u2060'], description: '\u001B[8mhi' } },
    },
  }
  expect(withoutInvisible(tool)).toEqual({
    ...whole,
    title: 'Add',
    description: 'Adds two\nnumbers ⚠️.',
    inputSchema: { type: 'object', properties: { a: { enum: ['x'], description: 'hi' } } },
  })
  expect(withoutInvisible(whole)).toEqual(whole)
})
