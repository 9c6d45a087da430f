import { expect, test } from 'vitest'

import { longestFirst, withTokens } from './restored-values.ts'

const one = { token: '[SECRET_1]', value: 'weak' }
const two = { token: '[SECRET_2]', value: 'weak "value"' }

test.each([
  ['weak "value", weak', '[SECRET_2], [SECRET_1]', 2],
  ['{"a":"weak \\"value\\""}', '{"a":"[SECRET_2]"}', 1],
  ['nothing', 'nothing', 0],
  ['', '', 0],
])('%j becomes %j', (text, changed, count) => {
  expect(withTokens(text, longestFirst([one, two]))).toEqual({ text: changed, count })
})

test('tokens stay intact, including newly written ones', () => {
  const values = longestFirst([
    { token: '[SECRET_1]', value: 'long-value' },
    { token: '[SECRET_2]', value: 'SECRET' },
    { token: '[SECRET_3]', value: '' },
  ])
  expect(withTokens('[SECRET_9] long-value SECRET', values).text).toBe('[SECRET_9] [SECRET_1] [SECRET_2]')
})

test('longer values take precedence, wherever they start', () => {
  const values = longestFirst([
    { token: '[SECRET_1]', value: 'ab' },
    { token: '[SECRET_2]', value: 'bcdef' },
  ])
  expect(withTokens('abcdef ab', values)).toEqual({ text: 'a[SECRET_2] [SECRET_1]', count: 2 })
})

test('there may be very many', () => {
  const values = Array.from({ length: 20_000 }, (_, n) => ({ token: `[SECRET_${n}]`, value: `value-${n}-x` }))
  const { text, count } = withTokens('value-7-x value-19999-x value-20000-x', longestFirst(values))
  expect({ text, count }).toEqual({ text: '[SECRET_7] [SECRET_19999] value-20000-x', count: 2 })
})
