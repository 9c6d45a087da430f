import { expect, test } from 'vitest'

import { gemini, withoutKey } from './dialect.ts'

test.each([
  ['/v1beta/models/gemini-pro:generateContent', 'generate', 'content', 'gemini-pro'],
  ['/v1/models/gemini-pro:streamGenerateContent?alt=sse', 'generate', 'stream', 'gemini-pro'],
  ['/v1beta/tunedModels/mine:countTokens', 'count', 'content', 'mine'],
  ['/v1/projects/p/locations/l/publishers/google/models/g:generateContent', 'generate', 'content', 'g'],
])('understands POST %s', (path, kind, shape, model) => {
  expect(gemini.endpointOf('POST', path)).toEqual({ kind, shape, model })
  expect(gemini.endpointOf('GET', path)).toBeUndefined()
})

test.each([
  '/v1beta/models/gemini-pro:embedContent',
  '/v1beta/models/gemini-pro:constructor',
  '/v1beta/models/gemini-pro',
  '/v1beta/models/:generateContent',
  '/v1beta/cachedContents',
  '/v1internal:generateContent',
  '',
])('does not understand POST %s', (path) => {
  expect(gemini.endpointOf('POST', path)).toBeUndefined()
})

test.each([
  [400, 'INVALID_ARGUMENT'],
  [403, 'PERMISSION_DENIED'],
  [429, 'RESOURCE_EXHAUSTED'],
  [409, 'FAILED_PRECONDITION'],
  [502, 'INTERNAL'],
])('an error %i is %s', (code, status) => {
  expect(JSON.parse(gemini.errorBody({ status: code, message: 'no' }))).toEqual({
    error: { code, message: 'no', status },
  })
})

test('removes only the key from a query', () => {
  expect(withoutKey('/v1beta/models?key=k7&alt=sse&monkey=x')).toBe('/v1beta/models?key=&alt=sse&monkey=x')
  expect(withoutKey('/v1/messages?beta=true')).toBe('/v1/messages?beta=true')
})
