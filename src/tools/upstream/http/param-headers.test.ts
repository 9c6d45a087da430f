import { assert, oneof, property, string as text } from 'fast-check'
import { describe, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { encodeValue, paramHeaders, scanHeaders, withoutInvalidHeaders } from './param-headers.ts'

const object = (properties: JsonObject): JsonObject => ({ type: 'object', properties })
const string = (header: unknown): JsonObject => ({ type: 'string', 'x-mcp-header': header as string })

function headersOf(schema: JsonObject, args: JsonObject): Record<string, string> {
  const scan = scanHeaders(schema)
  return 'problem' in scan ? expect.fail(scan.problem) : paramHeaders(scan.declarations, args)
}

test('nested arguments become headers', () => {
  const schema = object({
    region: string('Region'),
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    inner: object({ name: string('Inner-Name') }),
    plain: { type: 'string' },
  })
  const args = { region: 'eu', count: 3, dry: false, inner: { name: 'x' }, plain: 'no' }
  expect(headersOf(schema, args)).toEqual({
    'Mcp-Param-Region': 'eu',
    'Mcp-Param-Count': '3',
    'Mcp-Param-Dry': 'false',
    'Mcp-Param-Inner-Name': 'x',
  })
})

test('missing or mistyped arguments are omitted', () => {
  const schema = object({ a: string('A'), b: string('B'), c: string('C'), d: string('D') })
  expect(headersOf(schema, { a: null, b: { x: 1 }, c: 1.5 })).toEqual({})
  expect(headersOf(object({ toString: string('A') }), {})).toEqual({})
})

describe('an invalid declaration', () => {
  test.each<[string, JsonObject]>([
    ['an empty name', object({ a: string('') })],
    ['a name with a space', object({ a: string('My Region') })],
    ['a name with a line end', object({ a: string('A\r\nX-Evil: 1') })],
    ['a name that is none', object({ a: string(7) })],
    ['a name outside ASCII', object({ a: string('Région') })],
    ['a number', object({ a: { type: 'number', 'x-mcp-header': 'A' } })],
    ['an object', object({ a: { type: 'object', 'x-mcp-header': 'A' } })],
    ['no type', object({ a: { 'x-mcp-header': 'A' } })],
    ['the same name twice', object({ a: string('A'), b: string('a') })],
    ['beside no property', { type: 'object', 'x-mcp-header': 'A' }],
    ['below items', object({ a: { type: 'array', items: string('A') } })],
    ['below a choice', { type: 'object', anyOf: [object({ a: string('A') })] }],
    ['below a definition', { type: 'object', $defs: { x: string('A') } }],
  ])('is refused: %s', (_, inputSchema) => {
    expect(scanHeaders(inputSchema)).toHaveProperty('problem')
    const kept = { name: 'good', inputSchema: object({ a: string('A') }) }
    const result = { tools: [{ name: 'bad', inputSchema }, kept], nextCursor: 'x' }
    expect(withoutInvalidHeaders(result)).toEqual({ tools: [kept], nextCursor: 'x' })
  })

  test('is distinguished from the keyword used as data', () => {
    const schema = object({
      a: { type: 'string', default: { 'x-mcp-header': 1 }, enum: [{ 'x-mcp-header': 1 }] },
    })
    expect(scanHeaders(schema)).toEqual({ declarations: [] })
    const result = { tools: [{ name: 'a', inputSchema: schema }] }
    expect(withoutInvalidHeaders(result)).toBe(result)
  })
})

test('every value survives encoding', () => {
  assert(
    property(oneof(text(), text({ unit: 'binary' })), (value) => {
      const sent = encodeValue(value)
      expect(sent).toMatch(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/)
      const packed = /^=\?base64\?(.*)\?=$/.exec(sent)?.[1]
      const back = packed === undefined ? sent : Buffer.from(packed, 'base64').toString()
      expect(back).toBe(Buffer.from(value).toString())
    }),
  )
  expect(encodeValue('us west 1')).toBe('us west 1')
  expect(encodeValue('=?base64?eA==?=')).not.toBe('=?base64?eA==?=')
})
