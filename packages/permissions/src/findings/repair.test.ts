import { describe, expect, test } from 'vitest'

import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { LintFinding, Repair } from './finding.ts'
import { repair } from './repair.ts'

function finding(...repairs: Repair[]): LintFinding {
  return {
    rule: 'a-rule',
    severity: 'error',
    file: 'a.json',
    line: 1,
    column: 1,
    message: 'm',
    fix: 'f',
    ...(repairs.length > 0 && { repairs }),
  }
}

const edit = (start: number, end: number, text: string, file = 'a.md'): Repair => ({
  kind: 'text',
  file,
  start,
  end,
  text,
})
const change = (make: (value: JsonObject) => Json, file = 'a.json'): Repair => ({
  kind: 'json',
  file,
  change(value) {
    if (!isJsonObject(value)) throw new Error('not what was read')
    return make(value)
  },
})
const run = (
  texts: Record<string, string>,
  ...findings: LintFinding[]
): [Record<string, string>, number[]] => {
  const { texts: to, repaired } = repair(findings, (file) => texts[file])
  return [Object.fromEntries(to), repaired.map((one) => findings.indexOf(one))]
}

describe('text edits', () => {
  const texts = { 'a.md': '0123456789' }

  test.each([
    ['one edit', [finding(edit(2, 4, 'x'))], '01x456789', [0]],
    ['two edits in any order', [finding(edit(6, 8, 'y')), finding(edit(2, 4, 'x'))], '01x45y89', [0, 1]],
    ['adjacent edits', [finding(edit(2, 4, 'x')), finding(edit(4, 6, 'y'))], '01xy6789', [0, 1]],
    ['an insertion', [finding(edit(10, 10, '!'))], '0123456789!', [0]],
    ['the same edit twice', [finding(edit(2, 4, 'x')), finding(edit(2, 4, 'x'))], '01x456789', [0, 1]],
    [
      'overlapping edits: the later one is not applied',
      [finding(edit(2, 5, 'x')), finding(edit(4, 6, 'y'))],
      '01x56789',
      [0],
    ],
    [
      'two insertions at the same offset',
      [finding(edit(2, 2, 'x')), finding(edit(2, 2, 'y'))],
      '01x23456789',
      [0],
    ],
    [
      'a finding is repaired completely or not at all',
      [finding(edit(2, 5, 'x')), finding(edit(8, 9, 'z'), edit(4, 6, 'y'))],
      '01x56789',
      [0],
    ],
    [
      'not repaired if its own edits overlap',
      [finding(edit(2, 5, 'x'), edit(3, 4, 'y')), finding(edit(0, 1, ''))],
      '123456789',
      [1],
    ],
  ] as const)('%s', (_, findings, to, repaired) => {
    expect(run(texts, ...findings)).toEqual([{ 'a.md': to }, repaired])
  })

  test.each([
    ['outside the text', edit(8, 11, 'x')],
    ['before the text', edit(-1, 2, 'x')],
    ['an end before the start', edit(5, 4, 'x')],
    ['a file that may not be changed', edit(0, 1, 'x', 'managed.md')],
  ])('invalid edit is not applied: %s', (_, one) => {
    expect(run(texts, finding(one))).toEqual([{}, []])
  })

  test('are not applied if the text has changed', () => {
    const [read, changed] = ['23', '99'].map((was) => finding({ ...edit(2, 4, 'x'), was } as Repair))
    expect(run(texts, read!)).toEqual([{ 'a.md': '01x456789' }, [0]])
    expect(run(texts, changed!)).toEqual([{}, []])
  })

  test('without an effect do not change the file', () => {
    expect(run(texts, finding(edit(2, 4, '23')))).toEqual([{}, [0]])
  })
})

describe('JSON changes', () => {
  const text = '{\n  // why\n  "deny": ["a(*)"], "b": 1\n}\n'

  test('keep formatting, and are applied one after the other', () => {
    const first = finding(change((value) => ({ ...value, deny: ['a'] })))
    const then = finding(change((value) => ({ ...value, deny: [...(value.deny as Json[]), 'a__*'] })))
    expect(run({ 'a.json': text }, first, then)).toEqual([
      { 'a.json': '{\n  // why\n  "deny": ["a", "a__*"], "b": 1\n}\n' },
      [0, 1],
    ])
  })

  test('a change that throws is skipped', () => {
    const lost = finding(
      change(() => {
        throw new Error('gone')
      }),
    )
    const fine = finding(change((value) => ({ ...value, b: 2 })))
    expect(run({ 'a.json': text }, lost, fine)).toEqual([{ 'a.json': text.replace('1', '2') }, [1]])
  })

  test('a change that mutates its input and then throws has no effect', () => {
    const broken = finding(
      change((value) => {
        value.b = 9
        throw new Error('gone')
      }),
    )
    expect(run({ 'a.json': text }, broken, finding(change((value) => value)))).toEqual([{}, [1]])
  })

  test.each(['{', '{"a": 1, "a": 2}', '', '[1,'])('a malformed file is not changed: %j', (broken) => {
    expect(run({ 'a.json': broken }, finding(change((value) => value)))).toEqual([{}, []])
  })

  test('changes over the limit are left for the next run', () => {
    const more = finding(change((value) => ({ ...value, b: Number(value.b) + 1 })))
    const [after, repaired] = run({ 'a.json': text }, ...Array.from({ length: 250 }, () => ({ ...more })))
    expect(repaired).toHaveLength(200)
    expect(after['a.json']).toContain('"b": 201')
  })

  test('JSON changes and text edits of the same file need two runs', () => {
    const value = finding(change((value) => ({ ...value, b: 2 })))
    const words = finding(edit(0, 1, '{', 'a.json'))
    expect(run({ 'a.json': text }, value, words)[1]).toEqual([0])
    expect(run({ 'a.json': text }, words, value)[1]).toEqual([0])
  })
})

test('a finding without repairs changes nothing', () => {
  expect(run({ 'a.json': '{}' }, finding())).toEqual([{}, []])
})
