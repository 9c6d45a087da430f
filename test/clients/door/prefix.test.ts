import { expect, test } from 'vitest'

import { prefixBreaks } from './prefix.ts'

const body = (messages: readonly object[], system = 'be kind'): string =>
  JSON.stringify({ model: 'm', system: [{ type: 'text', text: system }], tools: [], messages })
const user = (text: string) => ({ role: 'user', content: text })
const marked = (text: string) => ({
  role: 'user',
  content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
})

test('a conversation that only grows, with a mark that moves', () => {
  expect(prefixBreaks([body([marked('a')]), body([user('a'), marked('b')])])).toEqual([])
})

test.each<[string, string, RegExp]>([
  ['a message', body([user('A'), user('b')]), /message 1/],
  ['a space', body([user('a'), user('b')]).replace('"text":"be', '"text": "be'), /system/],
  ['an escape', body([user('a'), user('b')]).replace('"a"', '"\\u0061"'), /message 1/],
  ['a missing message', body([]), /message 1/],
])('%s that changes is noticed', (_, next, named) => {
  expect(prefixBreaks([body([user('a')]), next])).toEqual([expect.stringMatching(named)])
})
