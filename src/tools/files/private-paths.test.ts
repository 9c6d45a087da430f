import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { parseCapability } from '../../core/capability.ts'
import { groupPaths } from '../../platform/places/place-table.ts'
import { pathGrants, type PathGrant } from './path-grants.ts'
import { findPrivatePaths, isPrivate, privatePaths } from './private-paths.ts'
import { privatePlaces } from './private-places.ts'

const home = '/home/me'
const grantsOf = (workspace: string, ...grants: string[]): readonly PathGrant[] =>
  pathGrants(
    grants.map((text) => parseCapability(text)!),
    'read',
    { workspace, home },
  )
const left = (workspace: string, ...grants: string[]): string[] =>
  privatePaths(home, grantsOf(workspace, ...grants))

test('a workspace that is or contains the home folder does not expose them', () => {
  expect(left(home, 'fs:read:**')).toContain('/home/me/.ssh')
  expect(left('/home', 'fs:read:**')).toContain('/home/me/.ssh')
  expect(left('/srv/shop', 'fs:read')).toContain('/home/me/.ssh')
})

test('neither does one between the home folder and them', () => {
  expect(left('/home/me/.config', 'fs:read:**')).toContain('/home/me/.config/gh')
  expect(left('/srv/shop', 'fs:read:~/.config/**')).toContain('/home/me/.config/gh')
})

test('a grant that names one shows just that', () => {
  const paths = left('/srv/shop', 'fs:read:~/.aws/**')
  expect(paths).not.toContain('/home/me/.aws')
  expect(paths).toContain('/home/me/.ssh')
})

test('who works in one of them has named it', () => {
  expect(left('/home/me/.docker', 'fs:read:**')).not.toContain('/home/me/.docker')
})

test('a grant for a part of one shows that part to the file tools', () => {
  const places = findPrivatePaths(home)
  const grants = grantsOf('/srv/shop', 'fs:read:~/.ssh/config', 'fs:read:~/.local/share/opencode/worktree/**')
  expect(isPrivate('/home/me/.ssh/config', places, grants)).toBe(false)
  expect(isPrivate('/home/me/.ssh/id_ed25519', places, grants)).toBe(true)
  expect(isPrivate('/home/me/.SSH/id_ed25519', places, grants)).toBe(true)
  expect(isPrivate('/home/me/.local/share/opencode/worktree/a.ts', places, grants)).toBe(false)
})

test('what a link leads to is private under its own name too, unless it is a folder around all of them', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-private-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'dotfiles/ssh'), { recursive: true })
  symlinkSync('dotfiles/ssh', join(folder, '.ssh'))
  symlinkSync('.', join(folder, '.aws'))
  const paths = findPrivatePaths(folder)
  expect(paths).toContain(join(folder, 'dotfiles/ssh'))
  expect(paths).not.toContain(folder)
})

test('the table has each path once, relative, and none inside another', () => {
  const paths = groupPaths(privatePlaces)
  const inside = paths.filter((path) => paths.some((other) => path.startsWith(`${other}/`)))
  expect(inside).toEqual([])
  expect(new Set(paths).size).toBe(paths.length)
  expect(paths.filter((path) => /^[/~]|\/$|\s$|\.\.|\*/.test(path))).toEqual([])
})
