import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { findingFingerprint, readIgnoreFile } from './ignore-file.ts'

const commit = 'ab12'.repeat(10)

describe('a fingerprint without a commit', () => {
  const { ignored } = readIgnoreFile('src/keys.ts:acme-key:12\n')

  test('matches the finding in every commit', () => {
    expect(ignored.find({ path: 'src/keys.ts', rule: 'acme-key', line: 12 })).toBe('src/keys.ts:acme-key:12')
    expect(ignored.find({ path: 'src/keys.ts', rule: 'acme-key', line: 12, commit })).toBeDefined()
  })

  test.each([
    { path: 'src/key.ts', rule: 'acme-key', line: 12 },
    { path: 'src/keys.ts', rule: 'acme', line: 12 },
    { path: 'src/keys.ts', rule: 'acme-key', line: 1 },
  ])('matches nothing else: $path $rule $line', (place) => {
    expect(ignored.find(place)).toBeUndefined()
  })
})

test('a fingerprint with a commit applies to that commit only', () => {
  const { ignored } = readIgnoreFile(`${commit}:a.txt:acme-key:3`)
  const place = { path: 'a.txt', rule: 'acme-key', line: 3 }
  expect(ignored.find({ ...place, commit: commit.toUpperCase() })).toBe(`${commit}:a.txt:acme-key:3`)
  expect(ignored.find({ ...place, commit: 'cd34'.repeat(10) })).toBeUndefined()
  expect(ignored.find(place)).toBeUndefined()
})

test('comments, blank lines, a byte order mark, surrounding blanks and CRLF are ignored', () => {
  const { ignored, problems } = readIgnoreFile(
    '\uFEFF# known\r\n\r\n  a.txt:acme-key:3  \r\n#b.txt:acme-key:4\r\n',
  )
  expect(problems).toEqual([])
  expect(ignored.find({ path: 'a.txt', rule: 'acme-key', line: 3 })).toBeDefined()
  expect(ignored.find({ path: 'b.txt', rule: 'acme-key', line: 4 })).toBeUndefined()
})

test('Windows paths match with either slash, and keep their drive letter', () => {
  const { ignored } = readIgnoreFile('src\\a.txt:acme-key:3\nC:\\b.txt:acme-key:4')
  expect(ignored.find({ path: 'src/a.txt', rule: 'acme-key', line: 3 })).toBeDefined()
  expect(ignored.find({ path: 'C:/b.txt', rule: 'acme-key', line: 4 })).toBeDefined()
})

test('a rule for whole files has line 0', () => {
  expect(
    readIgnoreFile('id_rsa:key-file:0').ignored.find({ path: 'id_rsa', rule: 'key-file', line: 0 }),
  ).toBeDefined()
})

test('invalid lines are reported with their number, the others apply', () => {
  const { ignored, problems } = readIgnoreFile(
    'a.txt:acme-key\n# ok\na.txt:acme-key:x\na.txt:acme-key:3\n::1\n',
  )
  expect(problems.map(({ line }) => line)).toEqual([1, 3, 5])
  expect(problems[0]?.message).toBe('expected file:rule:line or commit:file:rule:line')
  expect(ignored.find({ path: 'a.txt', rule: 'acme-key', line: 3 })).toBeDefined()
})

test('every written fingerprint is found again, and no text breaks the parser', () => {
  const word = fc.stringMatching(/^[\w./-]{1,20}$/)
  fc.assert(
    fc.property(word, word, fc.nat(), fc.string(), (path, rule, line, noise) => {
      fc.pre(!noise.includes('\n'))
      const place = { path, rule, line }
      const { ignored } = readIgnoreFile(`${noise}\n${findingFingerprint(place)}\n`)
      expect(ignored.find(place)).toBe(findingFingerprint(place))
    }),
    { seed: 3 },
  )
})
