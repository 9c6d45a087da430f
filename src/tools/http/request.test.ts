import { expect, test } from 'vitest'

import { FetchProblem } from './fetch-problem.ts'
import { checkRequest, type FetchRequest } from './request.ts'

function wrongField(request: Partial<FetchRequest>): string | undefined {
  try {
    checkRequest({ url: 'https://a.example/', ...request })
    return undefined
  } catch (error) {
    if (error instanceof FetchProblem && error.kind === 'invalid') return error.field
    throw error
  }
}

test.each<[string | undefined, Partial<FetchRequest>]>([
  ['url', { url: 'ftp://a.example/' }],
  ['url', { url: 'a.example' }],
  ['method', { method: 'CONNECT' }],
  ['headers', { headers: { host: 'a.example' } }],
  ['headers', { headers: { accept: 'a\nb' } }],
  ['headers', { headers: { accept: 'a', Accept: 'b' } }],
  ['headers', { headers: Object.fromEntries(Array.from({ length: 65 }, (_, n) => [`x-${n}`, String(n)])) }],
  [undefined, { method: 'post', headers: { accept: 'text/plain' }, body: 'x' }],
])('what is wrong is named by its field: %s', (field, request) => {
  expect(wrongField(request)).toBe(field)
})
