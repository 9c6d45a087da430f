import { ProtocolError } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'

import { doorRuntime } from '../../../test/support/door-runtime.ts'
import { ContextdError, describeError } from '../../core/errors/errors.ts'
import { answer, failure, RESULT_META, type Answer } from '../../core/result.ts'
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

describe('where a client gets only text', () => {
  const ours = {
    ...answer({ secret: 'data' }),
    content: [{ type: 'text', text: 'said' }],
    structured: { data: { secret: 'data' }, note: 'n', refs: [], tokens_used: 7 },
  }

  test('our answer has its accounting in _meta, and no data', () => {
    expect(toToolResult(ours, true)).toEqual({
      content: [{ type: 'text', text: 'said' }],
      _meta: { [RESULT_META]: { refs: [], tokens_used: 7 } },
    })
    expect(toToolResult(ours)).toMatchObject({ structuredContent: { data: { secret: 'data' } } })
  })

  test('our error is text, and an object in _meta', () => {
    const error = describeError('REF_EXPIRED')
    const counted = { ...failure(error), meta: { [RESULT_META]: { tokens_used: 9 } } }
    const result = toToolResult(counted, true)
    expect(result).toMatchObject({ isError: true, _meta: { [RESULT_META]: { tokens_used: 9, error } } })
    expect(result).not.toHaveProperty('structuredContent')
    expect(result.content).toMatchObject([{ text: expect.stringContaining('REF_EXPIRED') as string }])
  })

  test("other servers' answers stay as they are, whatever they look like", () => {
    const theirs: Answer = {
      kind: 'answer',
      own: false,
      content: [],
      structured: { data: 1, error: { code: 'REF_EXPIRED' } },
      isError: true,
    }
    expect(toToolResult(theirs, true)).toEqual({
      content: [],
      structuredContent: { data: 1, error: { code: 'REF_EXPIRED' } },
      isError: true,
    })
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
