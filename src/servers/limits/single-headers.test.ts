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
  // Also the same value, in another case: whoever is on the way may still read one of them only.
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
