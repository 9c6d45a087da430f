import { expect, test } from 'vitest'

import { settle } from './settle.ts'
import type { SecretSpan } from './span.ts'

const findAll =
  (pattern: RegExp) =>
  (text: string): SecretSpan[] =>
    [...text.matchAll(pattern)].map(({ index, 0: match }) => ({
      rule: 'r',
      start: index,
      end: index + match.length,
    }))

const secretsIn = (text: string, find: (text: string) => readonly SecretSpan[]): string[] =>
  settle(text, find).map(({ start, end }) => text.slice(start, end))

test('finds a secret that is exposed by replacing another one', () => {
  // `b` is only a secret after a token.
  const find = (text: string): SecretSpan[] => [
    ...findAll(/a+/g)(text),
    ...findAll(/(?<=\[SECRET_0\])b+/g)(text),
  ]
  expect(secretsIn('xaabby', find)).toEqual(['aa', 'bb'])
})

test('a finding around a token includes the secret that the token replaced', () => {
  const find = (text: string): SecretSpan[] => [...findAll(/a+/g)(text), ...findAll(/<\[SECRET_0\]>/g)(text)]
  expect(secretsIn('x<aa>y', find)).toEqual(['<aa>'])
})

test('finds new known values anywhere, and other secrets only around a replaced one', () => {
  const far = `b ${'x'.repeat(20_000)} a ${'x'.repeat(20_000)} b`
  const find = (text: string): SecretSpan[] =>
    text.includes('a') ? findAll(/a/g)(text) : findAll(/b/g)(text)
  expect(secretsIn(far, find)).toEqual(['a'])
  let knownCount = 0
  const learning = (text: string): SecretSpan[] => {
    knownCount++
    return find(text)
  }
  const known = {
    get size() {
      return knownCount
    },
    find: findAll(/b/g),
  }
  expect(settle(far, learning, known)).toHaveLength(3)
})

test('rejects a text in which every round finds more', () => {
  const restless = (text: string): SecretSpan[] => {
    const start = /^(?:\[SECRET_0\])*/.exec(text)![0].length
    return [{ rule: 'r', start, end: start + 1 }]
  }
  expect(() => settle('x'.repeat(100), restless)).toThrow('keeps finding more')
})
