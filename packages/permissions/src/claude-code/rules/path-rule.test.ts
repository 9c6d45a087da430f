import { describe, expect, test } from 'vitest'

import { absolutePath, isGuardedPath, matchesPathRule } from './path-rule.ts'
import type { Level } from '../setup/setup.ts'

const places = { project: '/home/me/project', home: '/home/me', config: '/home/me/.claude' }

describe('which files a rule matches', () => {
  test.each<[string, Level, readonly string[], readonly string[]]>([
    ['a.txt', 'user', ['a.txt', 'd/a.txt', 'A.TXT'], ['b.txt', '../a.txt']],
    ['./b.txt', 'user', ['b.txt', 'd/b.txt'], []],
    ['/c.txt', 'project', ['c.txt'], ['d/c.txt']],
    ['/c.txt', 'managed', ['c.txt'], []],
    ['/c.txt', 'user', ['/home/me/.claude/c.txt'], ['c.txt']],
    ['d/e.txt', 'user', ['d/e.txt'], ['x/d/e.txt', 'e.txt']],
    ['*.ENV', 'user', ['a.env', 'd/a.env'], ['env']],
    ['f', 'user', ['f/x', 'f/g/y', 'l/f/x', 'f'], ['ff']],
    ['h/', 'user', ['h/x', 'h/g/y'], ['h']],
    ['i/*', 'user', ['i/x'], ['i']],
    ['./j/**', 'user', ['j/x', 'j/k/x'], ['j']],
    ['**/m.md', 'user', ['m.md', 'd/m.md'], ['/m.md']],
    ['n[1].txt', 'user', ['n1.txt'], ['n[1].txt']],
    ['q?.txt', 'user', ['q1.txt'], ['q12.txt']],
    ['*.{ts,js}', 'user', [], ['r.ts']],
    ['t/../w.txt', 'user', [], ['w.txt']],
    ['../outside.txt', 'user', [], ['../outside.txt']],
    ['/home/me/project/y.txt', 'user', [], ['y.txt']],
    ['//home/me/project/y.txt', 'user', ['y.txt'], []],
    ['//**/subagents/**', 'user', ['/home/me/.claude/p/subagents/x', '/subagents/x'], ['/home/subagents']],
    ['~/.ssh/**', 'user', ['/home/me/.ssh/id'], ['.ssh/id']],
    ['!a.txt', 'user', [], ['a.txt']],
  ])('%s of %s', (content, level, matching, others) => {
    const isMeant = (path: string): boolean =>
      matchesPathRule(content, level, absolutePath(path, places), places)
    expect(matching.filter((path) => !isMeant(path))).toEqual([])
    expect(others.filter(isMeant)).toEqual([])
  })
})

test.each([
  ['a', '/home/me/project/a'],
  ['../a', '/home/me/a'],
  ['/a', '/a'],
  ['//a', '/a'],
  ['~/a', '/home/me/a'],
])('%s resolves to %s', (path, absolute) => {
  expect(absolutePath(path, places)).toBe(absolute)
})

test.each([
  ['.claude/settings.json', true],
  ['.CLAUDE/x', true],
  ['d/.git/config', true],
  ['.husky', true],
  ['.mcp.json', true],
  ['.bashrc', true],
  ['.config/git/config', true],
  ['.claude/worktrees/a/x', false],
  ['.claude/worktrees/a/.claude/x', true],
  ['.gitignore', false],
  ['.env', false],
  ['package.json', false],
])('%s is guarded: %s', (path, guarded) => {
  expect(isGuardedPath(`/home/me/project/${path}`)).toBe(guarded)
})
