import { expect, test } from 'vitest'

import { credentialsIn, requestHeaders, responseHeaders } from './headers.ts'

test('passes all headers unchanged and in order, except those about encoding and connection', () => {
  const raw = [
    ['Host', '127.0.0.1:7391'],
    ['anthropic-beta', 'a,b'],
    ['Authorization', 'Bearer sk-ant-oat01-x'],
    ['X-Custom', 'one'],
    ['x-custom', 'two'],
    ['Connection', 'keep-alive, X-Hop'],
    ['X-Hop', '1'],
    ['Transfer-Encoding', 'chunked'],
    ['Accept-Encoding', 'gzip, br'],
    ['Content-Encoding', 'gzip'],
    ['X-Contextd-Session', 's'],
    ['Content-Length', '7'],
    ['Cookie', 'a=b'],
  ].flat()
  expect(requestHeaders(raw, { host: 'api.example', length: 12 })).toEqual(
    [
      ['Host', 'api.example'],
      ['anthropic-beta', 'a,b'],
      ['Authorization', 'Bearer sk-ant-oat01-x'],
      ['X-Custom', 'one'],
      ['x-custom', 'two'],
      ['Accept-Encoding', 'identity'],
      ['Content-Length', '12'],
      ['Cookie', 'a=b'],
    ].flat(),
  )
  expect(requestHeaders([], { host: 'api.example', length: undefined })).toEqual([
    'host',
    'api.example',
    'accept-encoding',
    'identity',
  ])
})

test('removes length and encoding from a response only if it is rewritten', () => {
  const raw = ['Content-Length', '7', 'content-encoding', 'gzip', 'Set-Cookie', 'a', 'Set-Cookie', 'b']
  expect(responseHeaders([...raw, 'Connection', 'close'], false)).toEqual(raw)
  expect(responseHeaders(raw, true)).toEqual(['Set-Cookie', 'a', 'Set-Cookie', 'b'])
})

test('removes addresses that bypass the door from a response', () => {
  const addresses = ['Location', 'Content-Location', 'Refresh', 'Alt-Svc', 'X-Goog-Upload-URL']
  const raw = [...addresses, 'x-goog-upload-control-url'].flatMap((name) => [
    name,
    'https://elsewhere.example/',
  ])
  const others = ['X-Goog-Upload-Status', 'active', 'Link', '</next>; rel=next']
  expect(responseHeaders([...raw, ...others], false)).toEqual(others)
  expect(responseHeaders([...raw, ...others], true)).toEqual(others)
})

test('finds the credentials of the caller', () => {
  const raw = ['X-Api-Key', 'k1', 'authorization', 'Bearer k2', 'x-goog-api-key', 'k3', 'API-Key', 'k4']
  expect(credentialsIn([...raw, 'Cookie', 'sid=k5; t=k6', 'x-app', 'cli'], '?alt=sse&key=k7')).toEqual([
    'k1',
    'k2',
    'k3',
    'k4',
    'k5',
    'k6',
    'k7',
  ])
})
