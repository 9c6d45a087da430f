import { expect, test } from 'vitest'

import { configSchema } from '../../platform/config/config-schema.ts'
import { findProvider, pathAt, readModelTarget } from './target.ts'

test('reads key, provider, path and query', () => {
  expect(readModelTarget('/model/k/anthropic/v1/messages?beta=true')).toEqual({
    key: 'k',
    provider: 'anthropic',
    path: '/v1/messages',
    query: '?beta=true',
  })
  expect(readModelTarget('/model/k/anthropic')).toMatchObject({ path: '', query: '' })
  expect(readModelTarget('/model/k/anthropic/')).toMatchObject({ path: '/' })
  expect(readModelTarget('/model/k/gemini/v1beta/models/g:streamGenerateContent?alt=sse')).toMatchObject({
    path: '/v1beta/models/g:streamGenerateContent',
    query: '?alt=sse',
  })
  // The query cannot change the path.
  expect(readModelTarget('/model/k/openai/v1/models?a=../x//y')).toMatchObject({ query: '?a=../x//y' })
})

test.each([
  'http://evil.example/model/k/anthropic/v1/messages',
  '//evil.example/model/k/anthropic/v1/messages',
  '/model',
  '/model/',
  '/model/k',
  '/model/k/',
  '/model//anthropic/v1',
  '/model/k//evil.example/v1',
  '/model/k/anthropic//evil.example/v1/messages',
  '/model/k/anthropic/v1//messages',
  '/model/k/anthropic/../openai/v1',
  '/model/k/anthropic/./v1',
  '/model/k/anthropic/v1/..',
  '/model/k/anthropic/%2e%2e/v1',
  '/model/k/anthropic/..;/v1',
  '/model/k/anthropic/..;x=y/v1',
  '/model/k/anthropic/v1%2Fmessages',
  '/model/k/anthropic/v1%5cmessages',
  '/model/k/anthropic/v1\\messages',
  '/model/k/anthropic/v1%252fmessages',
  '/model/k/anthropic/v1#x',
  '/model/k/anthropic/v1/me ssages',
  '/model/k/anthropic/v1/messages?a\u00e9',
])('refuses %s', (url) => {
  expect(readModelTarget(url)).toBeUndefined()
})

test('knows providers only from the configuration', () => {
  const { model } = configSchema.parse({
    model: { providers: { local: { url: 'http://127.0.0.1:8080/base/', api: 'openai' } } },
  })
  expect(findProvider(model, 'anthropic')).toMatchObject({ api: 'anthropic', name: 'anthropic' })
  const local = findProvider(model, 'local')!
  expect(local).toMatchObject({ api: 'openai' })
  expect(pathAt(local, '/v1/chat?x=1')).toBe('/base/v1/chat?x=1')
  expect(pathAt(findProvider(model, 'gemini')!, '')).toBe('/')
  for (const name of ['evil', '__proto__', 'constructor', 'request_bytes', 'providers', '']) {
    expect(findProvider(model, name)).toBeUndefined()
  }
})
