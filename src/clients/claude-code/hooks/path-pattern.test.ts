import * as fc from 'fast-check'
import { expect, it } from 'vitest'

import { absolutePattern, mayMeet, toPattern } from './path-pattern.ts'
import { ONE, STAR, UNKNOWN } from './shell-words.ts'

it.each([
  ['/a/b', '/a/b', true],
  ['/a/b', '/a/c', false],
  ['/A/b', '/a/B', true],
  ['/a/*', '/a/b', true],
  ['/a/*', '/a/b/c', false],
  ['/a/**', '/a/b/c', true],
  ['/a/*/c', '/a/b*/*', true],
  ['/a/s*/x', '/a/*gents/x', true],
  ['/a/s*/x', '/a/agents/x', false],
  ['**/tasks/*.output', '/tmp/x/tasks/a1.output', true],
  ['**/tasks/*.output', '/tmp/x/tasks/a1.txt', false],
  ['*', '', true],
  ['', 'a', false],
])('%s and %s: %s', (one, other, expected) => {
  expect(mayMeet(toPattern(one), toPattern(other))).toBe(expected)
  expect(mayMeet(toPattern(other), toPattern(one))).toBe(expected)
})

it('says yes whenever a path fits both', () => {
  const token = fc.constantFrom('a', 'b', '/', STAR, ONE, UNKNOWN)
  const pattern = fc.array(token, { maxLength: 7 }).map((tokens) => tokens.join(''))
  const path = fc.array(fc.constantFrom('a', 'b', '/'), { maxLength: 6 }).map((letters) => letters.join(''))
  const fits = (text: string, tokens: string): boolean =>
    new RegExp(
      `^${tokens.replaceAll(STAR, '[^/]*').replaceAll(ONE, '[^/]').replaceAll(UNKNOWN, '[^]*')}$`,
    ).test(text)
  fc.assert(
    fc.property(pattern, pattern, path, (one, other, text) => {
      expect(mayMeet(one, text)).toBe(fits(text, one))
      if (fits(text, one) && fits(text, other)) expect(mayMeet(one, other)).toBe(true)
    }),
  )
})

it.each([
  ['x', '/a/b', '/a/b/x'],
  ['../x//y/./z', '/a/b', '/a/x/y/z'],
  ['/x/../..', '/a', '/'],
  [`${UNKNOWN}/x`, '/a', `${UNKNOWN}/x`],
])('%j from %j is %j', (pattern, base, expected) => {
  expect(absolutePattern(pattern, base)).toBe(expected)
})
