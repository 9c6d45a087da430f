import { describe, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { createKnownValues, type KnownValues } from './known-values.ts'

const random = seededRandom(8)
const sample = (recipe: string): string => makeSample(recipe, random).text
const token = sample('ghp_{alnum:36}')

function knownValues(...values: readonly string[]): KnownValues {
  const known = createKnownValues()
  for (const [index, value] of values.entries()) known.add(value, `rule-${index}`)
  return known
}

const matchesIn = (known: KnownValues, text: string): string[] =>
  known.find(text).map(({ start, end }) => text.slice(start, end))

describe('a known value', () => {
  test('is found anywhere, with the rule it was added with', () => {
    const text = `a ${token} b x${token}y`
    expect(knownValues(sample('{alnum:20}'), token).find(text)).toEqual([
      { rule: 'rule-1', start: 2, end: 42 },
      { rule: 'rule-1', start: 46, end: 86 },
    ])
  })

  test('is counted once, and keeps its first rule', () => {
    const known = knownValues(token, token)
    expect(known.size).toBe(1)
    expect(known.find(token)).toEqual([{ rule: 'rule-0', start: 0, end: 40 }])
  })

  test('is not found in other text, nor before it is known', () => {
    expect(knownValues().find(token)).toEqual([])
    expect(knownValues(token).find(`${sample('ghp_{alnum:36}')} ${sample('{alnum:4000}')}`)).toEqual([])
  })

  test('is not added if it is too weak', () => {
    const known = knownValues('production', 'hunter2', 'localhost')
    expect(known.size).toBe(0)
    expect(known.find('hunter2 runs in production on localhost')).toEqual([])
  })

  test('is found with its own punctuation', () => {
    expect(matchesIn(knownValues('Tr0ub4dor&3!'), 'password="Tr0ub4dor&3!" ok')).toEqual(['Tr0ub4dor&3!'])
    expect(matchesIn(knownValues('x9$K!q2@'), 'password="x9$K!q2@" ok')).toEqual(['x9$K!q2@'])
    expect(matchesIn(knownValues('пароль123'), 'это пароль123.')).toEqual(['пароль123'])
  })

  test('can be forgotten without affecting others', () => {
    const other = sample('{alnum:32}')
    const known = knownValues(token, other)
    known.forget(token)
    known.forget('never known')
    expect(known.size).toBe(1)
    expect(matchesIn(known, `${token} ${other}`)).toEqual([other])
    known.add(token, 'again')
    expect(matchesIn(known, `${token} ${other}`)).toEqual([token, other])
  })

  test('stays known while others are added and forgotten', () => {
    const known = knownValues(token)
    for (let i = 0; i < 80; i++) {
      const other = sample('{alnum:16}')
      known.add(other, 'passing')
      expect(known.find(other)).toHaveLength(1)
      known.forget(other)
      expect(known.find(other)).toEqual([])
    }
    expect(matchesIn(known, `is ${token}.`)).toEqual([token])
  })
})

describe('two values', () => {
  test('that share a prefix: the longer one is found in full', () => {
    const longer = `${token}${sample('{alnum:3}')}`
    for (const known of [knownValues(token, longer), knownValues(longer, token)]) {
      expect(matchesIn(known, `${longer} ${token}`)).toEqual([longer, token])
    }
  })

  test('that overlap are one span', () => {
    const [a, b, c] = [sample('{alnum:20}'), sample('{alnum:20}'), sample('{alnum:20}')]
    expect(matchesIn(knownValues(a + b, b + c), `.${a}${b}${c}.`)).toEqual([a + b + c])
  })

  test('next to each other are two spans', () => {
    const [a, b] = [sample('{alnum:20}'), sample('{alnum:20}')]
    expect(matchesIn(knownValues(a, b), `.${a}${b}.`)).toEqual([a, b])
  })
})

describe('a truncated or split value', () => {
  test('cut by head or tail is found by the remaining part', () => {
    const known = knownValues(token)
    expect(matchesIn(known, `${token.slice(0, 25)}…`)).toEqual([token.slice(0, 25)])
    expect(matchesIn(known, `…${token.slice(15)}`)).toEqual([token.slice(15)])
    expect(matchesIn(known, `…${token.slice(30)}`)).toEqual([])
  })

  test('is found with terminal colours in it', () => {
    const coloured = `\u{1b}[31m${token.slice(0, 3)}\u{1b}[0m${token.slice(3, 9)}\u{1b}[1;32m${token.slice(9)}`
    expect(matchesIn(knownValues(token), `> ${coloured}\u{1b}[0m <`)).toEqual([coloured.slice(5)])
  })

  test('of a multi-line key is found by any line, with any prefix', () => {
    const lines = Array.from({ length: 6 }, () => sample('{base64:64}'))
    const known = knownValues(
      ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----'].join('\n'),
    )
    const numbered = lines.map((line, i) => `${i + 1}: ${line}`).join('\n')
    expect(matchesIn(known, numbered)).toEqual(lines)
    expect(matchesIn(known, '-----BEGIN PRIVATE KEY-----\n(none)\n-----END PRIVATE KEY-----')).toEqual([])
  })
})

describe('limits', () => {
  test('a value that is too long is refused, and known values are kept', () => {
    const known = createKnownValues(200_000)
    known.add(token, 'first')
    expect(() => known.add(sample('{alnum:100000}'), 'large')).toThrow('too long')
    expect(matchesIn(known, token)).toEqual([token])
  })

  test('the oldest value is removed to make room for a new one', () => {
    const known = createKnownValues(100_000)
    known.add(token, 'first')
    const others = Array.from({ length: 20 }, () => sample('{alnum:40}'))
    for (const other of others) known.add(other, 'later')
    expect(known.size).toBeLessThan(20)
    expect(matchesIn(known, token)).toEqual([])
    expect(matchesIn(known, others.at(-1)!)).toEqual([others.at(-1)])
  })

  test('a refused value leaves nothing behind', () => {
    const alike = (i: number): string => `aB3d${i.toString(2).replaceAll('0', '-').replaceAll('1', '.')}E6gH`
    const known = createKnownValues()
    const add = (): void => {
      for (let i = 1; i < 600; i++) known.add(alike(i), 'alike')
    }
    expect(add).toThrow('look alike')
    const { size } = known
    known.add(token, 'token')
    expect(known.size).toBe(size + 1)
    expect(matchesIn(known, `aB3dE6gH ${token}`)).toEqual(['aB3dE6gH', token])
  })

  test('a very long value is found by its parts', () => {
    const long = sample('{alnum:50000}')
    const known = knownValues(long)
    expect(matchesIn(known, `x ${long} y`)).toEqual([long])
    expect(matchesIn(known, `(${long.slice(31_000, 31_040)})`)).toEqual([long.slice(31_000, 31_040)])
  })

  test('texts made of parts of values are searched in reasonable time', () => {
    const periodic = 'abcdefgh'.repeat(15)
    const known = knownValues(token, `${periodic}7`, 'correct-horse-battery-staple-turnip-9')
    for (const part of [
      token.slice(8, 19),
      `${periodic.slice(0, 64)}.zz9`,
      'correct horse battery turnip ',
      '\u{1b}[',
    ]) {
      expect(known.find(part.repeat(Math.ceil(65_536 / part.length)))).toEqual([])
    }
    expect(known.find(token.repeat(1000))).toHaveLength(1000)
  })
})
