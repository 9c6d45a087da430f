import { expect, test } from 'vitest'

import { estimateTokens as count } from './estimate.ts'
import { fitFault } from './fit-fault.ts'

const tools = { count, keep: 'head', save: () => 'ref_1', limit: 500 } as const

test('an error that fits is unchanged', () => {
  const fault = { kind: 'fault', error: { code: -5, message: 'no', data: { why: 'so' } } } as const
  expect(fitFault(fault, tools)).toMatchObject({ fault, truncated: false })
})

test('an oversized error is shortened, with the rest behind a ref', () => {
  const error = { code: -5, message: 'E'.repeat(1_000_000), data: { more: 'x'.repeat(1_000_000) } }
  const { fault, tokens, truncated } = fitFault({ kind: 'fault', error }, tools)
  expect(truncated).toBe(true)
  expect(tokens).toBeLessThanOrEqual(500)
  expect(fault.error).toMatchObject({
    code: -5,
    message: expect.stringContaining('read_more ref_1') as string,
  })
  expect(fault.error.data).toBeUndefined()
})
