import { expect, test } from 'vitest'

import { openai } from './dialect.ts'

const responses = { kind: 'generate', shape: 'responses' }
const chat = { kind: 'generate', shape: 'chat' }

test.each([
  ['/v1/responses', responses],
  ['/responses', responses],
  ['/responses?stream=true', responses],
  ['/v1/responses/compact', responses],
  ['/v1/responses/input_tokens', { kind: 'count', shape: 'responses' }],
  ['/v1/chat/completions', chat],
  ['/chat/completions', chat],
  ['/api/v1/chat/completions', chat],
  ['/openai/deployments/gpt/chat/completions?api-version=1', chat],
])('understands POST %s', (path, endpoint) => {
  expect(openai.endpointOf('POST', path)).toEqual(endpoint)
  expect(openai.endpointOf('GET', path)).toBeUndefined()
})

test.each([
  '/v1/models',
  '/v1/embeddings',
  '/v1/files?x=/chat/completions',
  '/v1/responses/resp_1/cancel',
  '/v1/xresponses',
])('does not understand POST %s', (path) => {
  expect(openai.endpointOf('POST', path)).toBeUndefined()
})

test.each([
  [400, 'invalid_request_error', null],
  [401, 'authentication_error', 'invalid_api_key'],
  [429, 'rate_limit_error', 'rate_limit_exceeded'],
  [502, 'server_error', null],
])('an error %i is one of %s', (status, type, code) => {
  expect(JSON.parse(openai.errorBody({ status, message: 'no' }))).toEqual({
    error: { message: 'no', type, param: null, code },
  })
})
