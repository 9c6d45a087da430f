import { describe, expect, test } from 'vitest'

import { describeError } from '../../core/errors/errors.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { faultAsError, fieldsOf, withOwnError, withOwnErrorInBody } from './foreign-error.ts'

const scrub = (text: string): string => text.replaceAll('hunter2', '[SECRET_1]')
const refused = (error: JsonObject): JsonObject => ({ jsonrpc: '2.0', id: 1, error })
const own = (error: JsonObject): JsonObject =>
  (withOwnError(refused(error), scrub) as { error: JsonObject }).error

describe('replaces errors of the SDK', () => {
  test.each<[number, string, JsonObject]>([
    [-32700, 'Parse error', { code: -32700, data: { code: 'PARSE_ERROR' } }],
    [-32600, 'Bad Request: hunter2', { code: -32600, data: { what: 'Bad Request: [SECRET_1]' } }],
    [-32601, 'Method not found', { code: -32601, data: { code: 'INVALID_REQUEST' } }],
    [
      -32602,
      'Bad hunter2',
      { code: -32602, data: { fields: [{ field: 'params', expected: 'Bad [SECRET_1]' }] } },
    ],
    [-32603, 'it broke at hunter2', { code: -32603, data: { code: 'INTERNAL' } }],
    [-32001, 'Session not found', { code: -32001, data: { code: 'SESSION_NOT_FOUND' } }],
    // In our catalogue, this code means that the rules deny it.
    [-32000, 'Not Acceptable', { code: -32600, data: { code: 'INVALID_REQUEST', what: 'Not Acceptable' } }],
  ])('%i %s', (code, message, expected) => {
    const error = own({ code, message })
    expect(error).toMatchObject(expected)
    expect(JSON.stringify(error)).not.toContain('hunter2')
  })

  test('preserves other details, scrubbed', () => {
    const data = { reason: 'invalid_request_state', more: 'hunter2' }
    expect(own({ code: -32602, message: 'Invalid', data })).toMatchObject({
      data: { code: 'INVALID_ARGUMENTS', reason: 'invalid_request_state', more: '[SECRET_1]' },
    })
  })

  test('names every missing field of an envelope', () => {
    expect(own({ code: -32602, message: 'x', data: { envelope: { missing: ['a', 'b'] } } })).toMatchObject({
      data: { fields: [{ field: 'params._meta.a' }, { field: 'params._meta.b' }] },
    })
  })

  test('reveals nothing that cannot be scrubbed', () => {
    const broken = (): string => {
      throw new Error('no')
    }
    for (const code of [-32600, -32022]) {
      const error = withOwnError(refused({ code, message: 'hunter2' }), broken)
      expect(error).toMatchObject({ error: { data: { code: 'SCRUB_FAILED' } } })
      expect(JSON.stringify(error)).not.toContain('hunter2')
    }
  })
})

describe('preserves', () => {
  test.each([
    { jsonrpc: '2.0', id: 1, result: { error: 'hunter2' } },
    { jsonrpc: '2.0', method: 'x', params: {} },
    refused({ code: -32602, message: 'ours', data: describeError('INVALID_ARGUMENTS') as JsonObject }),
    refused({ code: -32022, message: 'Unsupported', data: { supported: ['2026-07-28'] } }),
  ])('%j', (message) => {
    expect(withOwnError(message, scrub)).toEqual(message)
  })

  test("scrubs the protocol's own errors too", () => {
    expect(own({ code: -32022, message: 'Unsupported', data: { requested: 'hunter2' } })).toEqual({
      code: -32022,
      message: 'Unsupported',
      data: { requested: '[SECRET_1]' },
    })
  })
})

describe('an error of another server', () => {
  const error = { code: -32002, message: 'no such thing', data: { uri: 'x://a' } }

  test('is passed on unchanged, even if processed twice', () => {
    const { data } = faultAsError({ kind: 'fault', error })
    // The SDK would use another code.
    const once = withOwnError(refused({ code: -32602, message: 'x', data: data as JsonObject }), scrub)
    expect(once).toEqual(refused(error))
    expect(withOwnError(once, scrub)).toEqual(refused(error))
  })

  test('is not confused with one that looks like it', () => {
    faultAsError({ kind: 'fault', error })
    expect(own({ code: -32002, message: 'no such thing', data: { uri: 'x://a' } })).not.toEqual(error)
    expect(own({ code: -32002, message: 'no such thing', data: {} })).not.toEqual(error)
  })
})

describe('fields', () => {
  const issue = (path: string[], more: JsonObject): JsonObject => ({ path, ...more })
  test.each([
    [issue(['params', 'a'], { expected: 'string' }), 'params.a', 'a string'],
    [issue(['params', 'a'], { values: ['x', 'y'] }), 'params.a', 'one of x, y'],
    [issue(['params'], { code: 'invalid_union' }), 'params', 'a value that the protocol allows here'],
    [issue(['params', 'k'.repeat(101)], { expected: 'record' }), 'params.…', 'an object'],
  ])('%j', (given, field, expected) => {
    expect(fieldsOf([given])).toEqual([{ field, expected }])
  })

  test('are limited in number', () => {
    expect(fieldsOf(Array.from({ length: 500 }, () => issue(['a'], {})))).toHaveLength(20)
  })
})

describe('responses', () => {
  test('a refusal keeps its status and headers', async () => {
    const given = Response.json(refused({ code: -32000, message: 'no' }), {
      status: 405,
      headers: { allow: 'POST' },
    })
    const response = await withOwnErrorInBody(given, scrub)
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    expect(await response.json()).toMatchObject({ error: { data: { code: 'INVALID_REQUEST' } } })
  })

  test.each([
    Response.json({ fine: true }),
    new Response('data: x\n\n', { headers: { 'content-type': 'text/event-stream' } }),
    new Response(null, { status: 404 }),
  ])('other responses are unchanged', async (response) => {
    expect(await withOwnErrorInBody(response, scrub)).toBe(response)
  })
})
