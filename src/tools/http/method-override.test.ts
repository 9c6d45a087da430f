import { expect, test } from 'vitest'

import { overrideMethods, type MethodSource } from './method-override.ts'

const plain: MethodSource = { method: 'GET', path: '/?q=1', headers: { accept: '*/*' }, hasBody: false }

test.each<[string, Partial<MethodSource>, readonly string[]]>([
  ['nothing', {}, []],
  ['a body with GET', { hasBody: true }, ['POST']],
  ['a body with HEAD', { method: 'HEAD', hasBody: true }, ['POST']],
  ['a body with PUT', { method: 'PUT', hasBody: true }, []],
  ['the same method', { headers: { 'x-http-method-override': 'get' } }, []],
  ['X-HTTP-Method-Override', { headers: { 'x-http-method-override': ' delete ' } }, ['DELETE']],
  ['X-HTTP-Method', { headers: { 'X-HTTP-Method': 'MERGE' } }, ['MERGE']],
  ['X-Method-Override', { headers: { 'x-method-override': 'put' } }, ['PUT']],
  ['underscores', { headers: { x_http_method_override: 'PUT' } }, ['PUT']],
  ['a header with two', { headers: { 'x-http-method-override': 'GET, PUT' } }, ['PUT']],
  ['a duplicate header', { headers: { 'x-http-method': ['PUT', 'PATCH'] } }, ['PUT', 'PATCH']],
  ['an empty header', { headers: { 'x-http-method': '' } }, ['']],
  ['a header about something else', { headers: { 'access-control-request-method': 'PUT' } }, []],
  ['_method in the query', { path: '/a?x=1&_method=delete' }, ['DELETE']],
  ['the same, encoded', { path: '/a?%5Fmethod=%44ELETE' }, ['DELETE']],
  ['_method in the path', { path: '/a_method=delete' }, []],
])('%s', (_, parts, expected) => {
  expect(overrideMethods({ ...plain, ...parts })).toEqual(expected)
})
