import { expect, test } from 'vitest'

import { checkSingleHeaders } from './single-headers.ts'

test.each([
  ['Host', 'host'],
  ['AUTHORIZATION', 'authorization'],
  ['Origin', 'origin'],
  ['Content-Type', 'content-type'],
  ['Content-Length', 'content-length'],
  ['Transfer-Encoding', 'transfer-encoding'],
  ['Mcp-Session-Id', 'mcp-*'],
  ['MCP-Protocol-Version', 'mcp-*'],
  ['Contextd-Agent', 'contextd-*'],
])('%s may occur once', (name, told) => {
  const once = ['Accept', 'a', name, 'x', 'accept', 'b']
  expect(checkSingleHeaders(once)).toBeUndefined()
  // Also with equal values, and in another case: an intermediary may still read only one of them.
  expect(checkSingleHeaders([...once, name.toLowerCase(), 'x'])?.message).toContain(
    `the header ${told} occurs more than once`,
  )
})

test('accepts different headers of one family, and repeated list headers', () => {
  const headers = [
    'Mcp-Method',
    'a',
    'Mcp-Name',
    'b',
    'Accept',
    'x',
    'Accept',
    'y',
    'Cookie',
    '1',
    'Cookie',
    '2',
  ]
  expect(checkSingleHeaders(headers)).toBeUndefined()
})
