import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { readDocument, type ConfigDocument } from './read-document.ts'
import type { Notes } from './toml-table.ts'

function read(text: string): { document: ConfigDocument | undefined } & Notes {
  const notes: Notes = { problems: [], warnings: [] }
  return { document: readDocument(text, 'rules.toml', notes), ...notes }
}

function clean(text: string): ConfigDocument {
  const { document, problems, warnings } = read(text)
  expect(problems).toEqual([])
  expect(warnings).toEqual([])
  return document!
}

const full = `
title = "ours"
description = "for tests"
minVersion = "v8.28.0"

[extend]
useDefault = true
disabledRules = ["other"]

[[rules]]
id = "acme-key"
description = "Acme"
regex = '''acme_([a-z0-9]{32})'''
path = '''\\.env$'''
secretGroup = 1
entropy = 3
keywords = ["Acme_"]
tags = ["key", "acme"]
skipReport = true

[[rules.required]]
id = "acme-id"
withinLines = 5
withinColumns = 20

[[rules.required]]
id = "acme-host"

[[rules.allowlists]]
description = "examples"
condition = "and"
commits = [" ABCDEF1 "]
paths = ['''test/''']
regexes = ['''EXAMPLE''', '''(?i)sample''']
regexTarget = "line"
stopwords = ["Dummy"]

[[allowlists]]
paths = ['''vendor/''']

[[allowlists]]
targetRules = ["acme-key"]
stopwords = ["fake"]
`

describe('a complete file', () => {
  const document = clean(full)

  test('has its top-level values', () => {
    expect(document).toMatchObject({ title: 'ours', description: 'for tests', minVersion: 'v8.28.0' })
    expect(document.extend).toMatchObject({ useDefault: true, path: '', disabledRules: ['other'] })
  })

  test('has all values of a rule', () => {
    const { regex, path, allowlists, ...rule } = document.rules[0]!.rule
    expect(regex?.source).toBe('acme_([a-z0-9]{32})')
    expect(path?.source).toBe(String.raw`\.env$`)
    expect(rule).toEqual({
      id: 'acme-key',
      description: 'Acme',
      secretGroup: 1,
      entropy: 3,
      keywords: ['acme_'],
      tags: ['key', 'acme'],
      required: [{ id: 'acme-id', withinLines: 5, withinColumns: 20 }, { id: 'acme-host' }],
      skipReport: true,
      source: { file: 'rules.toml', line: 10 },
    })
    const [{ paths, regexes, ...allowlist } = {} as never] = allowlists
    expect(paths.map(({ source }) => source)).toEqual(['test/'])
    expect(regexes.map(({ source }) => source)).toEqual(['EXAMPLE', '(?i)sample'])
    expect(allowlist).toEqual({
      description: 'examples',
      condition: 'and',
      commits: ['abcdef1'],
      regexTarget: 'line',
      stopwords: ['dummy'],
    })
  })

  test('has allowlists for all and for certain rules', () => {
    expect(document.allowlists).toHaveLength(1)
    expect(document.allowlists[0]).toMatchObject({ condition: 'or', regexTarget: 'secret', stopwords: [] })
    expect(document.targeted).toHaveLength(1)
    expect(document.targeted[0]).toMatchObject({ targets: ['acme-key'], allowlist: { stopwords: ['fake'] } })
  })
})

test('keys are case-insensitive', () => {
  const { rules, allowlists } = clean(
    [
      'TITLE = "x"',
      '[AllowList]',
      'PATHS = ["d"]',
      '[[Rules]]',
      'ID = "a"',
      'Regex = "b"',
      '[Rules.AllowList]',
      'StopWords = ["c"]',
    ].join('\n'),
  )
  expect(rules[0]?.rule).toMatchObject({ id: 'a', allowlists: [{ stopwords: ['c'] }] })
  expect(allowlists).toHaveLength(1)
})

test('inline tables and dotted keys are equivalent', () => {
  const document = clean(
    'extend.useDefault = true\nrules = [{ id = "a", regex = "b", allowlists = [{ paths = ["c"] }] }]',
  )
  expect(document.extend?.useDefault).toBe(true)
  expect(document.rules[0]?.rule.allowlists).toHaveLength(1)
})

test('the file may start with a byte order mark and have CRLF line breaks', () => {
  expect(
    clean('\uFEFFtitle = "x"\r\n[[rules]]\r\nid = "a"\r\nregex = "b"\r\n').rules[0]?.rule.source.line,
  ).toBe(2)
})

test('an empty regex or path counts as missing, and an empty keyword is in every text', () => {
  const [{ rule } = {} as never] = clean(
    '[[rules]]\nid = "a"\nregex = ""\npath = "x"\nkeywords = ["k", ""]',
  ).rules
  expect(rule.regex).toBeUndefined()
  expect(rule.keywords).toEqual([])
})

test.each([
  ['OR', 'or'],
  ['or', 'or'],
  ['||', 'or'],
  ['', 'or'],
  ['AND', 'and'],
  ['And', 'and'],
  ['&&', 'and'],
])('condition %j is %s', (condition, expected) => {
  const { allowlists } = clean(`[[allowlists]]\ncondition = "${condition}"\npaths = ["a"]`)
  expect(allowlists[0]?.condition).toBe(expected)
})

const rule = (...lines: string[]): string => ['[[rules]]', 'id = "a"', 'regex = "b"', ...lines].join('\n')

describe('errors are reported with their line', () => {
  test.each<[text: string, line: number, message: string]>([
    ['title = ', 1, 'invalid value'],
    ['[[rules]]\nid = "a"\nid = "b"', 3, 'redefine'],
    ['title = 3', 1, 'title must be a string, but is 3'],
    ['rules = 3', 1, 'rules must be a list of tables, each written [[rules]], but is 3'],
    ['[rules]\nid = "a"', 1, 'rules must be a list of tables, each written [[rules]], but is a table'],
    ['rules = [3]', 1, 'rules must contain only tables, but contains 3'],
    ['[[extend]]\npath = "a"', 1, 'extend must be one table, written [extend], but is a list'],
    ['[extend]\nuseDefault = "yes"', 2, 'useDefault must be true or false, but is a string'],
    ['[extend]\ndisabledRules = "a"', 2, 'disabledRules must be a list of strings, but is a string'],
    ['[extend]\npath = "a"\nuseDefault = true', 2, 'useDefault and path are mutually exclusive'],
    ['[[rules]]\nregex = "a"', 1, 'a rule without id: id is missing'],
    ['[[rules]]\nregex = "a"\nid = " "', 3, ' : id is missing'],
    ['[[rules]]\nid = 7', 2, 'a rule without id: id must be a string, but is 7'],
    [`${rule()}\n${rule()}`, 5, 'a: the rule on line 1 has the same id'],
    [rule('description = true'), 4, 'a: description must be a string, but is true'],
    [rule('entropy = "3.5"'), 4, 'a: entropy must be a number, but is a string'],
    [rule('entropy = nan'), 4, 'a: entropy must be a number, but is NaN'],
    [rule('entropy = inf'), 4, 'a: entropy must be a number, but is Infinity'],
    [rule('secretGroup = -1'), 4, 'a: secretGroup must be a non-negative integer, but is -1'],
    [rule('secretGroup = 1.5'), 4, 'a: secretGroup must be a non-negative integer, but is 1.5'],
    [rule('keywords = "a"'), 4, 'a: keywords must be a list of strings, but is a string'],
    [rule('keywords = ["a",', '3]'), 5, 'a: keywords must contain only strings, but contains 3'],
    [rule('tags = [[]]'), 4, 'a: tags must contain only strings, but contains a list'],
    [rule('tags = 1979-05-27'), 4, 'a: tags must be a list of strings, but is a date'],
    [rule('skipReport = 1'), 4, 'a: skipReport must be true or false, but is 1'],
    [rule('Entropy = 1', 'entropy = 2'), 5, 'a: entropy is a duplicate of Entropy'],
    [
      '[[rules]]\nid = "a"\nregex = "a(?=b)"',
      3,
      'a: regex is not a valid RE2 pattern: RE2 does not support lookahead or lookbehind, at character 2',
    ],
    [
      rule('path = "["'),
      4,
      'a: path is not a valid RE2 pattern: the character class is not closed, at character 1',
    ],
    [rule('[[rules.required]]', 'withinLines = 1'), 4, 'a: required has no id'],
    [
      rule('[[rules.required]]', 'id = "b"', 'withinLines = -1'),
      6,
      'a: withinLines must be a non-negative integer, but is -1',
    ],
    [
      rule('[[rules.allowlists]]', 'description = "x"'),
      4,
      'a: an allowlist needs one of commits, paths, regexes and stopwords',
    ],
    [
      rule('[[rules.allowlists]]', 'paths = []'),
      4,
      'a: an allowlist needs one of commits, paths, regexes and stopwords',
    ],
    [rule('[rules.allowlist]'), 4, 'a: an allowlist needs one of commits, paths, regexes and stopwords'],
    [
      rule('[[rules.allowlist]]', 'paths = ["x"]'),
      4,
      'a: allowlist must be one table, written [rules.allowlist], but is a list',
    ],
    [
      rule('[rules.allowlist]', 'paths = ["x"]', '[[rules.allowlists]]', 'paths = ["x"]'),
      4,
      'a: allowlist is the older form of allowlists; use only one of them',
    ],
    [
      '[allowlist]\npaths = ["x"]\n[[allowlists]]\npaths = ["x"]',
      1,
      'allowlist is the older form of allowlists; use only one of them',
    ],
    [
      '[[allowlists]]\nregexes = [\n"a",\n"(b",\n]',
      4,
      'regexes is not a valid RE2 pattern: the group is not closed, at character 1',
    ],
    [
      '[[allowlists]]\nregexes = [\n3,\n"(b",\n]',
      4,
      'regexes is not a valid RE2 pattern: the group is not closed, at character 1',
    ],
    ['[[allowlists]]\nregexes = [""]', 2, 'regexes contains an empty pattern, which matches everything'],
    ['[[allowlists]]\npaths = [""]', 2, 'paths contains an empty pattern, which matches everything'],
    [
      '[[allowlists]]\nstopwords = ["a",\n""]',
      3,
      'stopwords contains an empty string, which is part of every secret',
    ],
    ['[[allowlists]]\npaths = ["a"]\ncondition = "xor"', 3, 'condition must be "OR" or "AND", but is "xor"'],
    [
      '[[allowlists]]\npaths = ["a"]\nregexTarget = "Line"',
      3,
      'regexTarget must be "secret", "match" or "line", but is "Line"',
    ],
    [
      '[[allowlists]]\npaths = ["a"]\ntargetRules = "a"',
      3,
      'targetRules must be a list of strings, but is a string',
    ],
  ])('%j', (text, line, message) => {
    const { problems } = read(text)
    const found = problems.find((problem) => problem.message.includes(message))
    expect(found ?? problems).toEqual({
      file: 'rules.toml',
      line,
      message: expect.stringContaining(message) as string,
    })
  })

  test('all of them at once', () => {
    const { problems } = read('[[rules]]\nregex = "("\nentropy = "x"\nkeywords = [1, 2]\ntags = "y"')
    expect(problems.map(({ line }) => line).sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 4, 5])
  })
})

describe('what gitleaks ignores causes a warning', () => {
  test.each<[text: string, line: number, message: string]>([
    ['titel = "x"', 1, 'unknown key titel is ignored; did you mean title?'],
    ['[something]\nelse = 1', 1, 'unknown key something is ignored'],
    ['[extend]\nuseDefaults = true', 2, 'unknown key useDefaults is ignored; did you mean useDefault?'],
    ['[extend]\nurl = "https://example.org/a"', 2, 'url is not loaded, as in gitleaks'],
    [rule('keyword = ["x"]'), 4, 'a: unknown key keyword is ignored; did you mean keywords?'],
    [
      rule('[[rules.required]]', 'id = "x"', 'withinLine = 1'),
      6,
      'a: unknown key withinLine is ignored; did you mean withinLines?',
    ],
    [
      rule('[[rules.allowlists]]', 'paths = ["x"]', 'targetRules = ["x"]'),
      6,
      'a: unknown key targetRules is ignored',
    ],
    [
      '[[allowlists]]\nstopword = ["x"]\npaths = ["x"]',
      2,
      'unknown key stopword is ignored; did you mean stopwords?',
    ],
    ['title = "x"\n[[rules]]', 2, 'a rule without id: is empty and ignored'],
    ['minVersion = "v8.31.0"', 1, 'the file is for gitleaks v8.31.0; the supported format is that of 8.30'],
    ['minVersion = "9.0.0"', 1, 'the file is for gitleaks 9.0.0; the supported format is that of 8.30'],
    ['minVersion = "new"', 1, 'minVersion "new" is not a version'],
    [
      '[[rules]]\nid = "a"\nregex = "b*"',
      3,
      'a: regex also matches the empty string; such matches are ignored',
    ],
  ])('%j', (text, line, message) => {
    const { problems, warnings } = read(text)
    expect(problems).toEqual([])
    expect(warnings).toEqual([{ file: 'rules.toml', line, message }])
  })

  test.each(['v8.30.9', '8.25.0', 'v7.0.0', '8.30'])('but version %s does not', (version) => {
    clean(`minVersion = "${version}"`)
  })
})

const keys = [
  'id',
  'regex',
  'path',
  'entropy',
  'secretGroup',
  'keywords',
  'tags',
  'required',
  'allowlist',
  'allowlists',
  'skipReport',
  'Regex',
  'nonsense',
  'paths',
  'condition',
  'stopwords',
  'title',
  'rules',
  'extend',
]
const headers = [
  '[[rules]]',
  '[rules]',
  '[[rules.allowlists]]',
  '[rules.allowlist]',
  '[[rules.required]]',
  '[[allowlists]]',
  '[allowlist]',
  '[extend]',
  '',
]
const values = [
  '"a"',
  "'''(a'''",
  '""',
  '3',
  '-1.5',
  'nan',
  'true',
  '[]',
  '["a", 1]',
  '[[1]]',
  '{ id = "a" }',
  '[{ paths = [""] }]',
  '1979-05-27',
  '"\\u0000"',
  "'''\n\n'''",
  '[',
]

test('no document breaks the parser, and every problem has a line of it', () => {
  const line = fc.oneof(
    fc.tuple(fc.constantFrom(...keys), fc.constantFrom(...values)).map(([key, value]) => `${key} = ${value}`),
    fc.constantFrom(...headers),
    fc.string({ maxLength: 8 }),
  )
  let accepted = 0
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
      const text = lines.join('\n')
      const { document, problems, warnings } = read(text)
      if (document !== undefined) accepted++
      else expect(problems).toHaveLength(1)
      const last = text.split(/\n/).length
      for (const problem of [...problems, ...warnings]) {
        expect(problem.line).toBeGreaterThanOrEqual(1)
        expect(problem.line).toBeLessThanOrEqual(last)
      }
    }),
    { numRuns: 1500, seed: 5 },
  )
  expect(accepted).toBeGreaterThan(200)
})
