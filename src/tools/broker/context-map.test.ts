import { describe, expect, test } from 'vitest'

import { linesOfKeys, parseContextMap, type ParsedMap } from './context-map.ts'

const place = { home: '/home/me', folder: '/home/me/.config/contextd' }
const parse = (...lines: string[]): ParsedMap => parseContextMap(lines.join('\n'), place)

test('paths and tables, in every way that TOML writes them', () => {
  const { entries, problems } = parse(
    '[keys]',
    'one = "/abs/a.md"',
    'two = "~/b.md" # mine',
    'three = "c/../d.md"',
    'four = { path = "e.md", agents = ["contextd:scanner", "main"] }',
    'five = { path = "e.md", require = "token" }',
    '"a key. of words" = { path = "e.md", agents = ["front"], require = "declared" }',
    '[keys.six]',
    'path = "f.md"',
  )
  expect(problems).toEqual([])
  expect(entries.map(({ file, agents, require }) => [file, agents, require])).toEqual([
    ['/abs/a.md', [], 'default'],
    ['/home/me/b.md', [], 'default'],
    ['/home/me/.config/contextd/d.md', [], 'default'],
    ['/home/me/.config/contextd/e.md', ['contextd:scanner', 'main'], 'attested'],
    ['/home/me/.config/contextd/e.md', [], 'token'],
    ['/home/me/.config/contextd/e.md', ['front'], 'declared'],
    ['/home/me/.config/contextd/f.md', [], 'default'],
  ])
  expect(entries.map(({ key }) => key)).toContain('a key. of words')
})

test.each([
  ['/srv/contexts', '/srv/contexts/a.md'],
  ['~/contexts', '/home/me/contexts/a.md'],
  ['private', '/home/me/.config/contextd/private/a.md'],
])('relative paths begin in the base folder %s', (base, file) => {
  expect(parse(`base = "${base}"`, '[keys]', 'k = "a.md"').entries).toMatchObject([{ file }])
})

test('an empty map is a map', () => {
  expect(parse('')).toEqual({ base: place.folder, entries: [], problems: [] })
  expect(parse('[keys]').problems).toEqual([])
})

describe('a mistake is named with its line, and nothing of the map is quoted', () => {
  test.each([
    ['k = 5', 'the value of a key must be a path, or a table { path, agents, require }'],
    ['k = 2026-11-15', 'the value of a key must be a path, or a table { path, agents, require }'],
    ['k = ["SECRET.md"]', 'the value of a key must be a path, or a table { path, agents, require }'],
    ['k = ""', '`path` must be a path: absolute, with ~/ in front, or relative to the base folder'],
    [
      'k = "~other/SECRET.md"',
      '`path` must be a path: absolute, with ~/ in front, or relative to the base folder',
    ],
    [
      'k = "SECRET\\u0000.md"',
      '`path` must be a path: absolute, with ~/ in front, or relative to the base folder',
    ],
    ['k = { agents = ["x"] }', 'the entry has no `path`'],
    ['SECRET.part = "a.md"', 'an entry has only path, agents and require', 'the entry has no `path`'],
    ['k = { path = "a.md", agent = ["x"] }', 'unknown name; did you mean `agents`?'],
    ['k = { path = "a.md", SECRET = 1 }', 'an entry has only path, agents and require'],
    ['k = { path = "a.md", agents = "x" }', '`agents` must be a list of names, such as ["contextd:scanner"]'],
    ['k = { path = "a.md", agents = [] }', '`agents` must be a list of names, such as ["contextd:scanner"]'],
    [
      'k = { path = "a.md", agents = ["S CRET"] }',
      '`agents` must be a list of names, such as ["contextd:scanner"]',
    ],
    [
      'k = { path = "a.md", require = "SECRET" }',
      '`require` must be one of attested, token, declared, environment, default',
    ],
    ['"" = "a.md"', 'a key must have 1 to 256 characters'],
    [`${'S'.repeat(257)} = "a.md"`, 'a key must have 1 to 256 characters'],
  ])('%s', (line, ...messages) => {
    const { entries, problems } = parse('# a comment', '[keys]', 'good = "a.md"', '', line)
    expect(problems).toEqual(messages.map((message) => ({ line: 5, message })))
    expect(JSON.stringify(problems)).not.toContain('SECRET')
    // One mistake is enough for the whole map: nobody knows what else was meant differently.
    expect(entries).toEqual([])
  })

  test.each([
    ['[kays]', 'unknown name; did you mean `keys`?'],
    ['SECRET = "a.md"', 'only `base` and the table [keys] can stand here'],
    ['keys = "SECRET"', '`keys` must be a table, written [keys]'],
    ['base = 7', '`base` must be a path: absolute, with ~/ in front, or relative to the base folder'],
  ])('%s', (line, message) => {
    expect(parse('', line).problems).toEqual([{ line: 2, message }])
  })

  test.each([
    '[keys]\nk = "SECRET',
    '[keys]\nSECRET',
    '[keys]\nk = "a.md"\nk = "SECRET.md"',
    '__proto__ = "SECRET"',
  ])('what is no TOML: %j', (text) => {
    const { problems } = parseContextMap(text, place)
    expect(problems).toHaveLength(1)
    expect(problems[0]?.message).toMatch(/\w/)
    expect(JSON.stringify(problems)).not.toContain('SECRET')
  })

  test('a map full of them is not answered with as much', () => {
    const lines = Array.from({ length: 300 }, (_, index) => `k${index} = 1`)
    expect(parse('[keys]', ...lines).problems).toHaveLength(20)
    const many = Array.from({ length: 501 }, (_, index) => `k${index} = "a.md"`)
    expect(parse('[keys]', ...many).problems).toEqual([{ line: 1, message: 'there are more than 500 keys' }])
    expect(parse('[keys]', ...many.slice(1)).entries).toHaveLength(500)
  })
})

test('the line of each key is known', () => {
  const text = '\uFEFF# x\n[keys]\na = "1.md"\n\nb = { path = "2.md" }\n[keys.c]\npath = "3.md"\n'
  expect([...linesOfKeys(text)]).toEqual([
    ['a', 3],
    ['b', 5],
    ['c', 6],
  ])
  expect(parseContextMap(text, place).entries).toHaveLength(3)
})
