import { expect, test } from 'vitest'

import { createSessionTokens, type SessionTokens } from './session-tokens.ts'

const tokenFor = (tokens: SessionTokens, session: string, value: string): string | undefined =>
  tokens.tokensFor(session, [{ value, rule: 'r' }])[0]

test('numbers tokens per session, and forgets them with it', () => {
  const tokens = createSessionTokens()
  const found = ['x', 'y', 'x'].map((value) => ({ value, rule: 'r' }))
  expect(tokens.tokensFor('a', found)).toEqual(['[SECRET_1]', '[SECRET_2]', '[SECRET_1]'])
  expect(tokenFor(tokens, 'b', 'y')).toBe('[SECRET_1]')
  expect([tokens.valueOf('a', '[SECRET_2]'), tokens.valueOf('b', '[SECRET_2]')]).toEqual(['y', undefined])
  tokens.endSession('a')
  expect(tokens.valueOf('a', '[SECRET_2]')).toBeUndefined()
})

test('rejects a flood of secrets without affecting other sessions', () => {
  const tokens = createSessionTokens()
  const flood = (): void => {
    for (let index = 0; index < 10; index += 1) tokenFor(tokens, 'a', `${index}`.padEnd(1 << 20))
  }
  expect(flood).toThrow('too many secrets')
  expect(tokenFor(tokens, 'a', '0'.padEnd(1 << 20))).toBe('[SECRET_1]')
  expect(tokenFor(tokens, 'b', 'x')).toBe('[SECRET_1]')
})
