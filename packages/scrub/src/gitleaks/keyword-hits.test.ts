import { describe, expect, test } from 'vitest'

import { prepareKeywords } from './keyword-hits.ts'
import type { GitleaksRule } from './gitleaks-config.ts'
import { compilePattern } from './re2.ts'

const rule = (id: string, regex: string, ...keywords: string[]): GitleaksRule => ({
  id,
  description: '',
  regex: compilePattern(regex),
  secretGroup: 0,
  entropy: 0,
  keywords,
  tags: [],
  allowlists: [],
  required: [],
  skipReport: false,
  source: { file: 'rules.toml', line: 1 },
})

describe('rules that can match', () => {
  const find = prepareKeywords([rule('a', 'x', 'one', 'two'), rule('b', 'x'), rule('c', 'x', 'über')])

  test.each([
    ['', ['b']],
    ['ONE', ['a', 'b']],
    ['xtwox', ['a', 'b']],
    ['ÜBER', ['b', 'c']],
    ['über two', ['a', 'b', 'c']],
    ['uber', ['b']],
  ])('in %j', (text, expected) => {
    expect(find(text).rules.map(({ id }) => id)).toEqual(expected)
  })
})

describe('regions', () => {
  const regions = (of: GitleaksRule, text: string) => prepareKeywords([of])(text).regionsOf(of)
  const boundedRule = rule('a', 'key[0-9]{3}', 'key')
  const far = '.'.repeat(20)

  test('surround keywords by the maximum match length plus one', () => {
    expect(regions(boundedRule, `${far}key${far}`)).toEqual([{ start: 16, end: 30 }])
  })

  test('are clipped to the text', () => {
    expect(regions(boundedRule, 'key')).toEqual([{ start: 0, end: 3 }])
  })

  test('are merged where they touch', () => {
    expect(regions(boundedRule, `${far}key..key${far}`)).toEqual([{ start: 16, end: 35 }])
    expect(regions(boundedRule, `${far}key${far}key${far}`)).toHaveLength(2)
  })

  test('are sorted across keywords', () => {
    const two = rule('b', '(?:one|two)[0-9]', 'two', 'one')
    expect(regions(two, `${far}one${far}two${far}`)?.map(({ start }) => start)).toEqual([18, 41])
  })

  test('are empty without a keyword', () => {
    expect(regions(boundedRule, far)).toEqual([])
  })

  test.each([
    ['a match can be of any length', rule('a', 'key[0-9]+', 'key')],
    ['a match can be very long', rule('a', 'key(?:[0-9]{1000}){1}'.repeat(11), 'key')],
    ['a match need not contain a keyword', rule('a', '(?:key)?[0-9]{3}', 'key')],
    ['a keyword is not ASCII', rule('a', 'kéy|key', 'key', 'kéy')],
    ['there are no keywords', rule('a', 'key')],
  ])('are the whole text if %s', (_, of) => {
    expect(regions(of, `${far}key${far}`)).toBeUndefined()
  })

  test('are the whole text if it contains letters that only (?i) matches as s and k', () => {
    const folded = rule('a', '(?i)key[0-9]{3}', 'key')
    expect(regions(folded, `${far}key${far}\u212Aey123`)).toBeUndefined()
    expect(regions(folded, `${far}key${far}xey123`)).toHaveLength(1)
  })
})
