import { expect, test } from 'vitest'

import type { Exchange } from '../connection.ts'
import { clientInfo, legacyParams, modernParams } from './params.ts'

const quiet: Exchange = { signal: new AbortController().signal, asks: [] }
const eager: Exchange = { ...quiet, onProgress: () => {} }

test('a legacy request without metadata is sent unchanged', () => {
  const params = { name: 'echo', arguments: {}, _meta: { 'example.com/x': 1 } }
  expect(legacyParams(params, quiet, 7)).toBe(params)
})

test("the request id replaces the caller's progress token", () => {
  const params = { name: 'echo', _meta: { 'example.com/x': 1, progressToken: 3 } }
  expect(legacyParams(params, eager, 7)._meta).toEqual({ 'example.com/x': 1, progressToken: 7 })
  expect(legacyParams(params, quiet, 7)._meta).toEqual({ 'example.com/x': 1 })
  expect(modernParams(params, eager, 7)._meta).toMatchObject({ 'example.com/x': 1, progressToken: 7 })
  expect(modernParams(params, quiet, 7)._meta).not.toHaveProperty('progressToken')
})

test('a modern request names client and capabilities, which a caller cannot override', () => {
  const params = {
    name: 'echo',
    _meta: { 'io.modelcontextprotocol/clientCapabilities': { sampling: {} } },
  }
  expect(modernParams(params, { ...quiet, asks: ['elicitation'], logLevel: 'info' }, 7)).toEqual({
    name: 'echo',
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': clientInfo,
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {}, url: {} } },
      'io.modelcontextprotocol/logLevel': 'info',
    },
  })
})

test('keys such as __proto__ stay data', () => {
  const params = JSON.parse('{"_meta":{"__proto__":{"polluted":1}},"__proto__":{"polluted":1}}')
  expect(JSON.stringify(legacyParams(params, eager, 1))).toBe(
    '{"_meta":{"__proto__":{"polluted":1},"progressToken":1},"__proto__":{"polluted":1}}',
  )
  expect({}).not.toHaveProperty('polluted')
})
