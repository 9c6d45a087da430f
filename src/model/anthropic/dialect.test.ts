import { expect, test } from 'vitest'

import { anthropic } from './dialect.ts'

test.each([
  ['POST', '/v1/messages', 'generate'],
  ['POST', '/v1/messages?beta=true', 'generate'],
  ['POST', '/messages', 'generate'],
  ['POST', '/v1/v1/messages', 'generate'],
  ['POST', '/v1/messages/count_tokens?beta=true', 'count'],
  ['POST', '/messages/count_tokens', 'count'],
  ['GET', '/v1/messages', undefined],
  ['POST', '/v1/messages/batches', undefined],
  ['POST', '/v1/v1/v1/messages', undefined],
  ['POST', '/v2/messages', undefined],
  ['POST', '/other?/v1/messages', undefined],
  ['GET', '/v1/models', undefined],
])('%s %s is %s', (method, path, kind) => {
  expect(anthropic.endpointOf(method, path)?.kind).toBe(kind)
})

test.each([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [403, 'permission_error'],
  [404, 'not_found_error'],
  [413, 'request_too_large'],
  [418, 'invalid_request_error'],
  [429, 'rate_limit_error'],
  [500, 'api_error'],
  [502, 'api_error'],
  [529, 'overloaded_error'],
])('an error of status %i has the type %s', (status, type) => {
  expect(JSON.parse(anthropic.errorBody({ status, message: 'a "message"' }))).toEqual({
    type: 'error',
    error: { type, message: 'a "message"' },
  })
})
