import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import type { Json } from '@contextd/shared/json/value'
import type { JsonPath } from '@contextd/shared/json/json-source'
import { readPlainYaml } from './plain-yaml.ts'
import { parseAnyYaml, parseYaml } from './yaml-source.ts'

function pathsIn(value: Json, path: JsonPath = []): JsonPath[] {
  const entries: [string | number, Json][] = Array.isArray(value)
    ? Array.from(value.entries())
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  return [path, ...entries.flatMap(([step, inner]) => pathsIn(inner, [...path, step]))]
}

/** Compares values and positions with the full YAML parser. */
function expectSame(yaml: string): void {
  const [ours, theirs] = [parseYaml(yaml, { uniqueKeys: true }), parseAnyYaml(yaml, { uniqueKeys: true })]
  if (!ours.ok || !theirs.ok) throw new Error(`not read: ${yaml}`)
  expect(ours.value).toEqual(theirs.value)
  for (const path of pathsIn(theirs.value).slice(1)) {
    for (const part of ['key', 'value'] as const) {
      const [from = -1, to = -1] = ours.range(path, part) ?? []
      const [start, end = -1] = theirs.range(path, part) ?? []
      // Its block ranges include trailing whitespace.
      expect([path, part, from, yaml.slice(to, end).trim()]).toEqual([path, part, start, ''])
    }
  }
}

describe('readPlainYaml', () => {
  it.each([
    ['one text a line', 'name: a\ndescription: Does b, then c\n'],
    ['quotes', 'description: "a: b # c"\nname: \'x "y"\'\n'],
    ['a list', 'tools:\n  - Read\n  - Bash(git:*)\nname: a\n'],
    ['a list that is not indented', 'tools:\n- Read\n- "a b"\nname: a'],
    ['words', 'tools: [Read, Grep,Bash]\r\nname: a\r\n'],
    ['numbers and switches', 'a: 0\nb: 12\nc: true\nd: false'],
    [
      'hooks and servers',
      'hooks:\n  PreToolUse:\n    - matcher: Bash\n      hooks:\n        - type: command\n          command: ./check.sh\n          timeout: 5\n    - hooks:\n      - type: http\n        url: http://x/y\nmcpServers:\n  -   own:\n        command: x\n  - shared\n',
    ],
    ['nothing', ''],
  ])('%s', (_, yaml) => {
    expect(readPlainYaml(yaml)).toBeDefined()
    expectSame(yaml)
  })

  it.each([
    ['a comment', 'name: a # b'],
    ['text over two lines', 'name: a\n  b'],
    ['a text in quotes over two lines', 'name: "a\n  b"'],
    ['an escape', 'name: "a\\n"'],
    ['a quote in quotes', "name: 'it''s'"],
    ['an alias', 'name: *a'],
    ['a key twice', 'a: b\na: c'],
    ['nothing after a name', 'a:\nb: c'],
    ['a list in a list', 'a:\n  - - b'],
    ['another indentation', 'a:\n    b: c\n  d: e'],
    ['a list at the top', '- a'],
    ['a tab', 'a:\n\tb: c'],
    ['a blank line with blanks', 'a: b\n  \nc: d'],
    ['another word for nothing', 'a: NULL'],
    ['one in a list', 'a: [b, null]'],
  ])('leaves to a parser: %s', (_, yaml) => {
    expect(readPlainYaml(yaml)).toBeUndefined()
  })

  it('never says another thing than a parser', () => {
    const scraps = fc.constantFrom(
      'a',
      'name',
      'tools',
      ': ',
      ':',
      '- ',
      '-',
      '\n',
      '\n',
      '\n  ',
      '\n  ',
      '\n    ',
      '\n  - ',
      '\n- ',
      '\r\n',
      '"x"',
      "'y'",
      '"',
      "'",
      ' ',
      '  ',
      '#',
      ' #',
      '[a, b]',
      '[',
      ', ',
      '5',
      'true',
      'null',
      '\t',
      'é',
      './x',
      '/y',
      '\u00A0',
      '---',
      '...',
      '?',
      '&a ',
      '*a',
      '!!x ',
      '|',
      '>',
      '%',
      '@',
      '{',
      '}',
      'a: b',
      'c:',
      '\n  d: e',
      '\n    - f: g',
    )
    const texts = fc.array(scraps, { maxLength: 14 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, (yaml) => {
        if (readPlainYaml(yaml) !== undefined) expectSame(yaml)
      }),
      { numRuns: 20_000 },
    )
  })
})
