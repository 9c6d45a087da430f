import { describe, expect, it } from 'vitest'

import { addressPattern, indexGlobs, isWildcard, namePattern } from './glob.ts'

describe('indexGlobs', () => {
  it.each([
    ['query', false, ['query'], ['Query', 'query_', '']],
    ['get_*', true, ['get_', 'get_user'], ['Get_user', 'forget_user']],
    ['*_query', true, ['_query', 'read_query'], ['query', 'read_query_']],
    ['*', true, ['', 'anything'], []],
  ])('%s', (pattern, wildcard, hits, misses) => {
    const index = indexGlobs([[pattern, 1]])
    expect(isWildcard(pattern)).toBe(wildcard)
    for (const name of hits) expect(index.lookup(name), name).toEqual([1])
    for (const name of misses) expect(index.lookup(name), name).toEqual([])
  })

  it('finds the values of the name itself first, then those of wildcards', () => {
    const index = indexGlobs([
      ['*', 1],
      ['get_user', 2],
      ['get_*', 3],
      ['get_user', 4],
      ['*_admin', 5],
    ])
    expect(index.lookup('get_user')).toEqual([2, 4, 1, 3])
    expect(index.lookup('get_admin')).toEqual([1, 3, 5])
    expect(index.lookup('constructor')).toEqual([1])
    expect(indexGlobs([['a', 1]]).lookup('b')).toEqual([])
  })
})

describe('patterns', () => {
  it.each(['a', '*', 'a*', '*a', 'get_?', 'x[1]'])('accepts %s', (pattern) => {
    expect(namePattern.test(pattern)).toBe(true)
    expect(addressPattern.test(pattern)).toBe(true)
  })

  it.each(['', '**', '*a*', 'get_*_x', 'a**'])('refuses %j', (pattern) => {
    expect(namePattern.test(pattern)).toBe(false)
    expect(addressPattern.test(pattern)).toBe(false)
  })

  it.each(['get_?*', '*[ab]', '[ab]*'])('refuses %s for names only', (pattern) => {
    expect(namePattern.test(pattern)).toBe(false)
    expect(addressPattern.test(pattern)).toBe(true)
  })
})
