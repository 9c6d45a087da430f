import { describe, expect, test } from 'vitest'

import { allowancesIn, type AllowContext, type Allowance } from './allowance.ts'
import { applyRules, prepareRules } from './apply-rules.ts'
import { readIgnoreFile } from './ignore-file.ts'
import { readGitleaksConfig } from './read-config.ts'

/** The allowance of each finding of the rule `k`, whose pattern is `k=<secret>`. */
function allowancesOf(
  text: string,
  allowlist: string,
  options: Omit<AllowContext, 'text' | 'allowlists'> & { readonly ofRule?: boolean } = {},
): (Allowance['by'] | undefined)[] {
  const header = options.ofRule ? '[[rules.allowlists]]' : '[[allowlists]]'
  const toml = `[[rules]]\nid = "k"\nregex = 'k=([A-Za-z0-9]+)'\n${allowlist === '' ? '' : `${header}\n${allowlist}`}`
  const { config, problems } = readGitleaksConfig(
    { text: toml, file: 'rules.toml' },
    { defaultIds: new Set(), load: () => '' },
  )
  expect(problems).toEqual([])
  const { rules, allowlists } = config!
  const allowanceOf = allowancesIn({ text, allowlists, ...options })
  return applyRules(text, prepareRules(rules)).map(
    (finding) => allowanceOf(finding, rules[0]?.allowlists)?.by,
  )
}

test('a finding without an allowance is reported', () => {
  expect(allowancesOf('k=abc', '')).toEqual([undefined])
})

describe('the comment', () => {
  test.each([
    ['k=abc # gitleaks:allow', 'comment'],
    ['/* gitleaks:allow */ k=abc', 'comment'],
    ['k=abc\n# gitleaks:allow', undefined],
    ['# gitleaks:allow\nk=abc', undefined],
    ['k=abc # gitleaks: allow', undefined],
  ])('%j: %s', (text, expected) => {
    expect(allowancesOf(text, '')).toEqual([expected])
  })

  test('applies to all findings on its line and no other', () => {
    expect(allowancesOf('k=a k=b # gitleaks:allow\nk=c', '')).toEqual(['comment', 'comment', undefined])
  })
})

describe('an ignore file', () => {
  const { ignored } = readIgnoreFile('a.txt:k:2')

  test('identifies findings by file, rule and line', () => {
    expect(allowancesOf('k=a\nk=b', '', { ignored, path: 'a.txt' })).toEqual([undefined, 'ignore-file'])
    expect(allowancesOf('k=a\nk=b', '', { ignored, path: 'b.txt' })).toEqual([undefined, undefined])
  })

  test('does not apply to text without a path', () => {
    expect(allowancesOf('k=a\nk=b', '', { ignored })).toEqual([undefined, undefined])
  })

  test('may contain a commit', () => {
    const commit = 'abc1234'
    const named = readIgnoreFile(`${commit}:a.txt:k:1`).ignored
    expect(allowancesOf('k=a', '', { ignored: named, path: 'a.txt', commit })).toEqual(['ignore-file'])
    expect(allowancesOf('k=a', '', { ignored: named, path: 'a.txt', commit: 'abc1235' })).toEqual([undefined])
  })
})

describe.each([false, true])('an allowlist (of the rule: %s)', (ofRule) => {
  const allowed = (
    text: string,
    allowlist: string,
    options: Parameters<typeof allowancesOf>[2] = {},
  ): boolean[] => allowancesOf(text, allowlist, { ...options, ofRule }).map((by) => by === 'allowlist')

  test.each<[allowlist: string, text: string, expected: boolean]>([
    [`regexes = ['^abc$']`, 'k=abc', true],
    [`regexes = ['^k=']`, 'k=abc', false],
    [`regexes = ['^k=']\nregexTarget = "match"`, 'k=abc', true],
    [`regexes = ['end$']\nregexTarget = "match"`, 'k=abc end', false],
    [`regexes = ['^x.*end$']\nregexTarget = "line"`, 'a\r\nx k=abc end\r\nb', true],
    [`regexes = ['^b']\nregexTarget = "line"`, 'x k=abc\nb', false],
    [`regexes = ['x', 'b']`, 'k=abc', true],
    [`stopwords = ["BC"]`, 'k=aBc', true],
    [`stopwords = ["k="]`, 'k=abc', false],
  ])('%s in %j: %s', (allowlist, text, expected) => {
    expect(allowed(text, allowlist)).toEqual([expected])
  })

  test('matches patterns one by one, so that (?i) in one does not affect the next', () => {
    expect(allowed('k=XYZ', `regexes = ['(?i)abc', 'xyz']`)).toEqual([false])
    expect(allowed('k=ABC', `regexes = ['(?i)abc', 'xyz']`)).toEqual([true])
  })

  test('by path needs a path', () => {
    expect(allowed('k=a', `paths = ['^vendor/']`, { path: 'vendor/a' })).toEqual([true])
    expect(allowed('k=a', `paths = ['^vendor/']`, { path: 'src/vendor/a' })).toEqual([false])
    expect(allowed('k=a', `paths = ['.*']`)).toEqual([false])
  })

  test('by commit needs that commit, case-insensitively', () => {
    expect(allowed('k=a', 'commits = ["ABC123"]', { commit: 'abc123' })).toEqual([true])
    expect(allowed('k=a', 'commits = ["abc123"]', { commit: 'abc124' })).toEqual([false])
    expect(allowed('k=a', 'commits = ["abc123"]')).toEqual([false])
    expect(allowed('k=a', 'commits = [""]')).toEqual([false])
  })

  test.each<[condition: string, text: string, path: string | undefined, expected: boolean]>([
    ['OR', 'k=fake', 'test/a', true],
    ['OR', 'k=fake', 'src/a', true],
    ['OR', 'k=real', 'test/a', true],
    ['OR', 'k=real', 'src/a', false],
    ['AND', 'k=fake', 'test/a', true],
    ['AND', 'k=fake', 'src/a', false],
    ['AND', 'k=real', 'test/a', false],
    ['AND', 'k=fake', undefined, false],
  ])('with %s: %j in %s: %s', (condition, text, path, expected) => {
    const allowlist = `condition = "${condition}"\nstopwords = ["fake"]\npaths = ['^test/']`
    expect(allowed(text, allowlist, path === undefined ? {} : { path })).toEqual([expected])
  })

  test('caches nothing across lines', () => {
    const allowlist = `regexes = ['ok$']\nregexTarget = "line"`
    expect(allowed('k=a k=b ok\nk=c\nk=d ok\nk=e', allowlist)).toEqual([true, true, false, true, false])
  })
})

test('an empty allowlist allows nothing', () => {
  const allowlist = {
    description: '',
    condition: 'and',
    commits: [],
    paths: [],
    regexes: [],
    regexTarget: 'secret',
    stopwords: [],
  } as const
  const finding = { rule: 'k', start: 0, end: 1, matchStart: 0, matchEnd: 1, startLine: 1 }
  expect(allowancesIn({ text: 'a', allowlists: [allowlist] })(finding)).toBeUndefined()
})

test('checks the time', () => {
  const checkTime = () => {
    throw new Error('out of time')
  }
  const finding = { rule: 'k', start: 0, end: 1, matchStart: 0, matchEnd: 1, startLine: 1 }
  expect(() => allowancesIn({ text: 'a', allowlists: [], checkTime })(finding)).toThrow('out of time')
})
