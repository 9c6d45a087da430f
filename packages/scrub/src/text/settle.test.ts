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

const taken = (text: string, find: (text: string) => readonly SecretSpan[]): string[] =>
  settle(text, find).map(({ start, end }) => text.slice(start, end))

test('what a replaced secret brings out is found too', () => {
  // `b` counts only behind a token.
  const find = (text: string): SecretSpan[] => [
    ...findAll(/a+/g)(text),
    ...findAll(/(?<=\[SECRET_0\])b+/g)(text),
  ]
  expect(taken('xaabby', find)).toEqual(['aa', 'bb'])
})

test('a find that covers a token takes what the token stands for', () => {
  const find = (text: string): SecretSpan[] => [...findAll(/a+/g)(text), ...findAll(/<\[SECRET_0\]>/g)(text)]
  expect(taken('x<aa>y', find)).toEqual(['<aa>'])
})

test('what became known is found anywhere, the rest only around a secret', () => {
  const far = `b ${'x'.repeat(20_000)} a ${'x'.repeat(20_000)} b`
  const find = (text: string): SecretSpan[] =>
    text.includes('a') ? findAll(/a/g)(text) : findAll(/b/g)(text)
  expect(taken(far, find)).toEqual(['a'])
  let values = 0
  const learning = (text: string): SecretSpan[] => {
    values++
    return find(text)
  }
  const known = {
    get size() {
      return values
    },
    find: findAll(/b/g),
  }
  expect(settle(far, learning, known)).toHaveLength(3)
})

test('a text that never comes to rest is refused', () => {
  const restless = (text: string): SecretSpan[] => {
    const start = /^(?:\[SECRET_0\])*/.exec(text)![0].length
    return [{ rule: 'r', start, end: start + 1 }]
  }
  expect(() => settle('x'.repeat(100), restless)).toThrow('come to rest')
})
