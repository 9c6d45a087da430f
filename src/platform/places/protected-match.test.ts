import { expect, test } from 'vitest'

import { groupPaths } from './place-table.ts'
import { isBelowOneOf, protectedMatches, type ProtectedMatch } from './protected-match.ts'
import { protectedPlaces } from './protected-places.ts'

const matches = (path: string, from = 1, home = '/home/me'): ProtectedMatch[] => [
  ...protectedMatches(path, { from, home }),
]

test('reports the entry and where it matches, in every folder', () => {
  expect(matches('/w/.vscode/tasks.json')).toEqual([
    { path: '.vscode', reason: expect.stringContaining('Visual Studio Code'), at: 1 },
  ])
  expect(matches('/w/a/.config/git/config')).toMatchObject([{ path: '.config/git', at: 2 }])
  expect(matches('/w/.claude/worktrees/x/.git/hooks/y')).toMatchObject([{ path: '.git', at: 4 }])
  expect(matches('/w/src/a.ts')).toEqual([])
})

test('matches a file in place of a parent folder, and ignores case', () => {
  expect(matches('/w/.config')).toHaveLength(1)
  expect(matches('/w/.VSCode')).toHaveLength(1)
})

test('ignores path segments above the workspace, and home-only names elsewhere', () => {
  expect(matches('/home/me/.claude/worktrees/x/a.ts', 5)).toEqual([])
  expect(matches('/home/me/.oh-my-zsh/x', 0)).toHaveLength(1)
  expect(matches('/home/me/dotfiles/.oh-my-zsh/x', 0)).toEqual([])
})

test('a list of places permits exactly those, from the matched segment on', () => {
  expect(isBelowOneOf(['.idea', '.claude/commands'], '/w/.claude/commands/x.md', 1)).toBe(true)
  expect(isBelowOneOf(['.idea', '.claude/commands'], '/w/.claude/settings.json', 1)).toBe(false)
  expect(isBelowOneOf([], '/w/.claude/settings.json', 1)).toBe(false)
})

test('the table has unique, relative paths, each with a reason', () => {
  const paths = groupPaths(protectedPlaces)
  expect(paths.filter((path, at) => paths.indexOf(path) !== at)).toEqual([])
  expect(paths.filter((path) => /^[/~]|\/$|\s|\.\.|\*/.test(path))).toEqual([])
  for (const { reason } of protectedPlaces.flatMap(({ rows }) => rows)) {
    expect(reason).toMatch(/^[A-Za-z].{8,110}[^.]$/)
  }
})
