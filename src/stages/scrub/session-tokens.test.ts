import { expect, test } from 'vitest'

import { createSessionTokens } from './session-tokens.ts'

test('numbers per session, and forgets with the session', () => {
  const tokens = createSessionTokens()
  expect([tokens.tokenFor('a', 'x'), tokens.tokenFor('a', 'y'), tokens.tokenFor('a', 'x')]).toEqual([
    '[SECRET_1]',
    '[SECRET_2]',
    '[SECRET_1]',
  ])
  expect(tokens.tokenFor('b', 'y')).toBe('[SECRET_1]')
  expect([tokens.valueOf('a', '[SECRET_2]'), tokens.valueOf('b', '[SECRET_2]')]).toEqual(['y', undefined])
  tokens.forget('a')
  expect(tokens.valueOf('a', '[SECRET_2]')).toBeUndefined()
})

test('does not grow without end: a flood is an error, and other sessions go on', () => {
  const tokens = createSessionTokens()
  const flood = (): void => {
    for (let index = 0; index < 10; index += 1) tokens.tokenFor('a', `${index}`.padEnd(1 << 20))
  }
  expect(flood).toThrow('too many secrets')
  expect(tokens.tokenFor('a', '0'.padEnd(1 << 20))).toBe('[SECRET_1]')
  expect(tokens.tokenFor('b', 'x')).toBe('[SECRET_1]')
})
