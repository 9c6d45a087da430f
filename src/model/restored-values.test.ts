import { expect, test } from 'vitest'

import { inOrder, withTokens } from './restored-values.ts'

const one = { token: '[SECRET_1]', value: 'weak' }
const two = { token: '[SECRET_2]', value: 'weak "value"' }

test.each([
  ['weak "value", weak', '[SECRET_2], [SECRET_1]', 2],
  ['{"a":"weak \\"value\\""}', '{"a":"[SECRET_2]"}', 1],
  ['nothing', 'nothing', 0],
  ['', '', 0],
])('%j becomes %j', (text, changed, count) => {
  expect(withTokens(text, inOrder([one, two]))).toEqual({ text: changed, count })
})

test('tokens stay whole, also those that were just written', () => {
  const values = inOrder([
    { token: '[SECRET_1]', value: 'long-value' },
    { token: '[SECRET_2]', value: 'SECRET' },
    { token: '[SECRET_3]', value: '' },
  ])
  expect(withTokens('[SECRET_9] long-value SECRET', values).text).toBe('[SECRET_9] [SECRET_1] [SECRET_2]')
})
