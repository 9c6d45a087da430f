import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
} from '@modelcontextprotocol/server'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { idAtTheEdges, maxMessageDepth } from '../../platform/message-json.ts'
import { errorResponse, readMessage } from './mcp-message.ts'

function read(text: string): ReturnType<typeof readMessage> {
  return readMessage(Buffer.from(text))
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const call = (params: string, id = '7'): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`

describe('refuses', () => {
  test.each([
    ['garbage', 'garbage', null, 'PARSE_ERROR'],
    ['half a message', '{"jsonrpc":"2.0","id":7,"method":', null, 'PARSE_ERROR'],
    ['an array', '[]', null, 'INVALID_REQUEST'],
    ['a number', '5', null, 'INVALID_REQUEST'],
    ['another version', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 7, 'INVALID_REQUEST'],
    ['no method', '{"jsonrpc":"2.0","id":7}', 7, 'INVALID_REQUEST'],
    ['a method of another type', '{"jsonrpc":"2.0","id":7,"method":5}', 7, 'INVALID_REQUEST'],
    ['an id of another type', '{"jsonrpc":"2.0","id":{},"method":"ping"}', null, 'INVALID_REQUEST'],
    ['an id of null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', null, 'INVALID_REQUEST'],
    ['an id that is no integer', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', null, 'INVALID_REQUEST'],
    ['members of its own', '{"jsonrpc":"2.0","id":"a","method":"ping","extra":1}', 'a', 'INVALID_REQUEST'],
    ['deep JSON', call(`{"name":"x","arguments":{"a":${nested(maxMessageDepth)}}}`), 7, 'INVALID_REQUEST'],
    [
      'deep JSON, id last',
      `{"method":"x","params":${nested(200)},"jsonrpc":"2.0","id":8}`,
      8,
      'INVALID_REQUEST',
    ],
  ])('%s', (_, text, id, code) => {
    expect(read(text)).toMatchObject({ id, error: { code } })
  })

  test('bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":7,"method":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ])
    expect(readMessage(bytes)).toMatchObject({ id: null, error: { code: 'PARSE_ERROR' } })
  })

  test.each([
    ['5', 'params', 'an object, or nothing'],
    ['{}', 'params.name', 'a string'],
    ['{"name":["secret"]}', 'params.name', 'a string'],
    ['{"name":"x","arguments":"secret"}', 'params.arguments', 'an object, or nothing'],
    ['{"name":"x","arguments":[]}', 'params.arguments', 'an object, or nothing'],
    ['{"name":"x","_meta":1}', 'params._meta', 'an object, or nothing'],
    ['{"name":"x","_meta":{"progressToken":{}}}', 'params._meta.progressToken', 'a string or an integer'],
  ])('params %s name the field and what was expected, and echo nothing', (params, field, expected) => {
    const refused = read(call(params))
    expect(refused).toMatchObject({
      id: 7,
      error: { code: 'INVALID_ARGUMENTS', fields: [{ field, expected }] },
    })
    expect(JSON.stringify(refused)).not.toContain('secret')
  })
})

describe('accepts', () => {
  test.each([
    call('{"name":"x"}'),
    call('{"name":"x","arguments":{"a":1},"_meta":{"progressToken":"p"}}', '"text id"'),
    call(`{"name":"x","arguments":{"a":${nested(maxMessageDepth - 3)}}}`),
    call(`{"name":"x","arguments":{"a":"${'['.repeat(500)}\\"${'{'.repeat(500)}"}}`),
    '{"jsonrpc":"2.0","id":1,"result":{}}',
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":""}}',
    // Notifications are never answered, so invalid ones pass too.
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":[]}',
  ])('%s', (text) => {
    expect(read(text)).toEqual({ message: JSON.parse(text) })
  })

  test('leaves a method that a revision removed to the SDK', () => {
    const meta = '{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}'
    expect(read(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"_meta":${meta}}}`)).toHaveProperty(
      'message',
    )
    expect(read('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}')).toHaveProperty('error')
  })
})

test('every accepted request is valid for the SDK', () => {
  const part = (value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.jsonValue() })
  const meta = fc.record(
    {
      progressToken: part(fc.integer()),
      'io.modelcontextprotocol/related-task': part(fc.constant({ taskId: 'x' })),
    },
    { requiredKeys: [] },
  )
  const params = fc.record(
    { name: part(fc.string()), arguments: part(fc.constant({})), _meta: part(meta) },
    { requiredKeys: [] },
  )
  const message = fc.record(
    {
      jsonrpc: part(fc.constant('2.0')),
      id: part(fc.nat()),
      method: part(fc.constantFrom('tools/call', 'ping', 'x')),
      params: part(params),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(message, (value) => {
      const received = readMessage(Buffer.from(JSON.stringify(value)))
      if (!('message' in received) || !('id' in received.message)) return
      const known = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse]
      expect(known.some((is) => is(received.message))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('never throws for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(readMessage(Buffer.from(bytes))).toBeTypeOf('object')
    }),
  )
})

test.each([
  ['{"jsonrpc":"2.0","id":5,"method":"x","par', '"}}', 5],
  ['{"id":"five","jsonrpc":"2.0"', '}', 'five'],
  ['{"method":"x","params":{"id":1,', '},"jsonrpc":"2.0","id":6}', 6],
  ['{"method":"x"', ',"id":-6,"jsonrpc":"2.0"}', -6],
  // Not the message's own id: it is inside the params.
  ['{"method":"x","params":{"id":1,', '"id":2}}', null],
  ['{"params":{"jsonrpc":"2.0","id":3,', '}', null],
  ['garbage', 'garbage', null],
])('the id of %s…%s is %s', (head, tail, id) => {
  expect(idAtTheEdges(Buffer.from(head), Buffer.from(tail))).toBe(id)
})

test('an error response has the code and the whole error object', () => {
  const received = read('nonsense')
  if (!('error' in received)) throw new Error('was read')
  expect(errorResponse(received.id, received.error)).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code: -32700, message: received.error.message, data: received.error },
  })
})
