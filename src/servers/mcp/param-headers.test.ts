import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { mismatchedParamHeader } from './param-headers.ts'

const schema: JsonObject = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
    inner: { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } },
    free: { type: 'string' },
  },
}

const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`

test.each<[JsonObject, Record<string, string>]>([
  [{}, {}],
  [{ region: null }, {}],
  [{ free: 'x' }, { 'mcp-param-region': 'ignored without an argument' }],
  [{ region: 'eu' }, { 'mcp-param-region': 'eu' }],
  [{ region: 'größer' }, { 'mcp-param-region': base64('größer') }],
  [{ region: '=?base64?open' }, { 'mcp-param-region': '=?base64?open' }],
  [{ count: 42 }, { 'mcp-param-count': '42.0' }],
  [{ dry: false }, { 'mcp-param-dry': 'false' }],
  [{ inner: { zone: 'a' } }, { 'mcp-param-zone': 'a' }],
])('%o matches %o', (args, headers) => {
  expect(mismatchedParamHeader(schema, args, headers)).toBeUndefined()
})

test.each<[JsonObject, Record<string, string>, string]>([
  [{ region: 'eu' }, {}, 'Mcp-Param-Region'],
  [{ region: 'eu' }, { 'mcp-param-region': 'us' }, 'Mcp-Param-Region'],
  [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVsbG8?=' }, 'Mcp-Param-Region'],
  [{ region: 'Hello' }, { 'mcp-param-region': '=?base64?SGVs!!!bG8=?=' }, 'Mcp-Param-Region'],
  [{ region: '\uFFFD' }, { 'mcp-param-region': '=?base64?/w==?=' }, 'Mcp-Param-Region'],
  [{ count: 42 }, { 'mcp-param-count': '43' }, 'Mcp-Param-Count'],
  [{ inner: { zone: 'a' } }, { 'mcp-param-zone': 'b' }, 'Mcp-Param-Zone'],
])('%o does not match %o', (args, headers, header) => {
  expect(mismatchedParamHeader(schema, args, headers)).toBe(header)
})
