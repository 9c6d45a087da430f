import { expect, test } from 'vitest'

import { createCallQueue, derivedId } from './derived-ids.ts'

test('the same call has the same id, however its input is written', () => {
  expect(derivedId('write', '{"a":1,"b":"ü"}')).toBe(derivedId('write', '{ "b": "\\u00fc", "a": 1.0 }'))
  expect(derivedId('write', 'no JSON')).toBe(derivedId('write', 'no JSON'))
})

test('other calls have other ids', () => {
  const calls = [
    ['write', '{"a":1}'],
    ['write', '{"a":2}'],
    ['write', '[{"a":1}]'],
    ['write', 'no JSON'],
    ['writes', '{"a":1}'],
  ] as const
  expect(new Set(calls.map(([tool, input]) => derivedId(tool, input))).size).toBe(calls.length)
})

test('a result without an id belongs to the first call of that name that has none', () => {
  const calls = createCallQueue()
  for (const [id, tool] of [
    ['1', 'a'],
    ['2', 'b'],
    ['3', 'a'],
  ] as const)
    calls.add({ id, tool })
  expect(calls.answer('a', undefined)).toBe('1')
  expect(calls.answer('a', undefined)).toBe('3')
  expect(calls.answer('a', undefined)).toBeUndefined()
  expect(calls.answer('other', '2')).toBe('2')
  expect(calls.answer('b', undefined)).toBeUndefined()
  expect(calls.answer('b', 'unknown')).toBe('unknown')
})

test('a result with an id that its client made up belongs to a call without one', () => {
  const calls = createCallQueue()
  const [first, second] = [derivedId('a', '{"n":1}'), derivedId('a', '{"n":2}')]
  for (const id of ['own', first, second]) calls.add({ id, tool: 'a' })
  expect(calls.answer('a', 'made-up-1')).toBe(first)
  expect(calls.answer('a', 'own')).toBe('own')
  expect(calls.answer('b', 'made-up-2')).toBe('made-up-2')
  expect(calls.answer('a', 'made-up-3')).toBe(second)
  expect(calls.answer('a', 'made-up-4')).toBe('made-up-4')
})
