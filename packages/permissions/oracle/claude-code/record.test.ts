import { describe, expect, test } from 'vitest'

import { outcomeOf } from './play.ts'
import { inOneRun } from './probed-run.ts'
import { claudeOracle, differences, differenceTable, oraclePage } from './record.ts'
import { calls, touches, type Scene } from './scene.ts'

describe('differences', () => {
  const recorded = { one: { a: 'allow', b: 'deny' }, two: { a: 'ask' } } as const

  test('none if all played cells are unchanged', () => {
    expect(differences(recorded, { one: recorded.one })).toEqual([])
  })

  test('contain changed and new cells', () => {
    const changed = differences(recorded, { one: { a: 'ask', b: 'deny', c: 'allow' } })
    expect(changed).toEqual([
      { scene: 'one', asked: 'a', left: 'allow', right: 'ask' },
      { scene: 'one', asked: 'c', left: undefined, right: 'allow' },
    ])
    expect(differenceTable(changed, '1.0', '2.0').split('\n')).toEqual([
      'scene  call  1.0    2.0',
      'one    a     allow  ask',
      'one    c     -      allow',
    ])
  })
})

test.each([
  ['ok', false, false, 'allow'],
  ['<tool_use_error>Error: No such tool available: Foo</tool_use_error>', true, false, 'no such tool'],
  ['Permission to use Bash with command touch a has been denied.', true, true, 'deny'],
  ['Cannot write to a while in plan mode.', true, true, 'deny'],
  ["Claude requested permissions to use Foo, but you haven't granted it yet.", true, true, 'ask'],
  ['Exit code 1', true, false, 'allow'],
] as const)('%s: an error %s, refused %s: %s', (text, isError, isRefused, outcome) => {
  expect(outcomeOf({ text, isError }, isRefused)).toBe(outcome)
})

test('only scenes that differ in the acting agent share a run', () => {
  const files = {}
  const scene = (name: string, more: Partial<Scene> = {}): Scene => ({ name, files, probes: [], ...more })
  const scenes = [
    scene('one'),
    scene('two', { agent: 'helper' }),
    scene('three', { mode: 'plan' }),
    scene('four', { files: {} }),
  ]
  expect(inOneRun(scenes).map((run) => run.map(({ name }) => name))).toEqual([
    ['one', 'two'],
    ['three'],
    ['four'],
  ])
})

test('the page lists exactly the undocumented cells', () => {
  const scene: Scene = {
    name: 'odd things',
    files: {},
    probes: [
      touches('a'),
      { ...calls('mcp__a|b'), undocumented: 'odd names' },
      { ...calls('Bash(a\r\nb)'), undocumented: 'odd lines' },
    ],
  }
  const seen = {
    'odd things': { 'Bash(touch a)': 'ask', 'mcp__a|b': 'allow', 'Bash(a\r\nb)': 'ask' },
  } as const
  const page = oraclePage(claudeOracle, { version: '1.2.3', scenes: seen }, [scene])
  expect(page).toContain('| odd names | `mcp__a\\|b` | allow |')
  expect(page).toContain('| odd lines | `Bash(a\\u{d}\\u{a}b)` | ask |')
  expect(page).toContain('Claude Code 1.2.3')
  expect(page).not.toContain('touch a')
})
