import { ProtocolError } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'

import { doorRuntime } from '../../../test/support/door-runtime.ts'
import { ContextdError, describeError } from '../../core/errors/errors.ts'
import { answer, failure } from '../../core/result.ts'
import { asProtocolError, toToolResult } from './mcp-result.ts'
import { errorIn } from './wire-error.ts'

test('an answer keeps its fields and gets no others', () => {
  expect(toToolResult({ kind: 'answer', own: false, content: [{ type: 'text', text: 'x' }] })).toEqual({
    content: [{ type: 'text', text: 'x' }],
  })
  expect(toToolResult({ ...answer(1, { isError: true }), meta: { a: 1 } })).toEqual({
    content: [],
    structuredContent: { data: 1 },
    isError: true,
    _meta: { a: 1 },
  })
})

test('finds the error of a failed answer, and only ours', () => {
  const error = describeError('REF_EXPIRED')
  expect(errorIn(failure(error))).toEqual(error)
  expect(errorIn(answer({ error: { code: 'REF_EXPIRED' } }))).toMatchObject({ code: 'INTERNAL' })
})

test('reveals a thrown error only if it is ours, scrubbed', () => {
  const runtime = doorRuntime()
  const ours = asProtocolError(new ContextdError('STORE_UNAVAILABLE', { cause: 'hunter2' }), runtime)
  expect(ours.code).toBe(-32017)
  expect(ours.message).toMatch(/^STORE_UNAVAILABLE: The store cannot be used: \[SECRET_1\]\n/)
  const theirs = asProtocolError(new TypeError('at /home/me/secret.ts'), runtime)
  expect(theirs).toMatchObject({ code: -32603, data: { code: 'INTERNAL' } })
  expect(JSON.stringify([theirs.message, theirs.data])).not.toContain('secret.ts')
  const already = new ProtocolError(-32602, 'as it is')
  expect(asProtocolError(already, runtime)).toBe(already)
})
