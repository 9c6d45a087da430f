import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import type { Capability } from '../../core/capability.ts'
import { pathGrants } from './path-grants.ts'
import {
  gitAllowed,
  guardedPaths,
  isProtected,
  protectedPaths,
  whyProtected,
  type Protection,
} from './protected-paths.ts'

function protection(
  workspace: string,
  scopes: readonly (string | undefined)[],
  protect: string[] = [],
): Protection {
  const places = { workspace, home: '/home/me' }
  const grants = scopes.map((scope): Capability => ({
    kind: 'fs:write',
    ...(scope !== undefined && { scope }),
  }))
  return { places, writes: pathGrants(grants, 'write', places), protect }
}

const all = protection('/w', ['**'])

test.each([
  ...protectedPaths,
  '.git',
  '.git/hooks/pre-commit',
  '.git/index',
  '.claude/settings.json',
  '.vscode/tasks.json',
  '.config/git/config',
  '.config/systemd/user/x.service',
  'apps/web/.husky/pre-commit',
  '.config',
  '.config/fish/conf.d/x.fish',
  'packages/one/.envrc',
  'vendor/lib/.git/hooks/post-checkout',
  '.GIT/Hooks/pre-commit',
  '.g\u200cit/config',
])('%s is protected', (path) => expect(isProtected(`/w/${path}`, all)).toBe(true))

test.each([
  'src/a.ts',
  '.gitignore',
  '.github/workflows/ci.yml',
  '.config/app.toml',
  'package.json',
  'Makefile',
  'Dockerfile',
  'AGENTS.md',
  '.cargo/registry',
  '.yarn/cache/a.zip',
  '.docker/php/Dockerfile',
  'claude/settings.json',
  '.envrc.example',
  'hooks/pre-commit',
])('%s is not', (path) => expect(isProtected(`/w/${path}`, all)).toBe(false))

test('what means something in the home folder alone is protected there alone', () => {
  expect(isProtected('/home/me/.local/bin/ls', protection('/w', ['~/**']))).toBe(true)
  expect(isProtected('/w/.local/bin/ls', all)).toBe(false)
  expect(guardedPaths(protection('/home/me', ['**']))).toContain('/home/me/.local/bin')
  expect(guardedPaths(all)).not.toContain('/w/.local/bin')
})

test('files that Claude Code lets agents write in its folder are not protected, worktrees there are', () => {
  expect(isProtected('/home/me/.claude/plans/a.md', protection('/w', ['~/**']))).toBe(false)
  expect(isProtected('/w/.claude/worktrees/x/src/a.ts', all)).toBe(false)
  expect(isProtected('/w/.claude/worktrees/x/.vscode/tasks.json', all)).toBe(true)
  expect(isProtected('/w/.claude/commands/x.md', all)).toBe(true)
})

test('every refusal has its reason', () => {
  const places = { workspace: '/w', home: '/home/me' }
  expect(whyProtected('/w/pkg/.ENVRC', places)).toBe(
    '.envrc: direnv, autoenv or mise run it when a shell enters the folder',
  )
  expect(whyProtected('/w/src/generated/a.ts', places)).toContain('the configuration protects it')
})

test('a grant that names it lifts the protection, a wildcard does not', () => {
  const at = (path: string, ...scopes: (string | undefined)[]): boolean =>
    isProtected(`/w/${path}`, protection('/w', scopes))
  expect(at('.claude/settings.json', '**', '.claude/**')).toBe(false)
  expect(at('.claude/settings.json', '.claude/settings.json')).toBe(false)
  expect(at('.git/hooks/x', '/w/.git/hooks')).toBe(false)
  expect(at('.git/hooks/x', '.git/**')).toBe(false)
  expect(at('pkg/.vscode/x', 'pkg/.vscode/*')).toBe(false)
  expect(at('.claude/settings.json', '.claude/commands/**')).toBe(true)
  expect(at('pkg/.vscode/x', 'pkg/**')).toBe(true)
  expect(at('.claude/x', '.*/**')).toBe(true)
  expect(at('.claude/x', undefined)).toBe(true)
})

test('names are matched below the workspace, which may itself be in such a folder', () => {
  const worktree = protection('/home/me/.claude/worktrees/x', ['**'])
  expect(isProtected('/home/me/.claude/worktrees/x/src/a.ts', worktree)).toBe(false)
  expect(isProtected('/home/me/.claude/worktrees/x/.claude/a', worktree)).toBe(true)
})

test('outside the workspace the same names are protected', () => {
  expect(isProtected('/home/me/.bashrc', protection('/w', ['~/**']))).toBe(true)
  expect(isProtected('/home/me/.bashrc', protection('/w', ['~/.bashrc']))).toBe(false)
})

test('paths of the configuration are protected until a grant names all of them', () => {
  const at = (path: string, scope: string): boolean =>
    isProtected(`/w/${path}`, protection('/w', [scope], ['src/generated', 'deploy/*.key']))
  expect(at('src/generated/a.ts', 'src/**')).toBe(true)
  expect(at('src/generated/a.ts', 'src/generated/**')).toBe(false)
  expect(at('src/a.ts', 'src/**')).toBe(false)
  expect(at('deploy/x.key', '**')).toBe(true)
})

function workspace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-protect-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function guarded(folder: string, scopes = ['**'], protect: string[] = []): string[] {
  return guardedPaths(protection(folder, scopes, protect)).map((path) => relative(folder, path))
}

test('commands find the top of the workspace guarded, also what is not there', () => {
  const paths = guarded(workspace(), ['**'], ['src/generated'])
  expect(paths).toEqual(expect.arrayContaining(['.mcp.json', '.claude', '.bashrc', 'src/generated']))
  expect(paths).not.toContain('.git')
})

test('what a grant names is not guarded', () => {
  const paths = guarded(workspace(), ['**', '.claude/**', '.git/**'], ['src/generated'])
  expect(paths).not.toContain('.claude')
  expect(paths).toContain('.mcp.json')
})

test('the folders of repositories that a grant names may be written', () => {
  const allowed = (workspace: string, ...scopes: string[]): string[] => {
    const { writes, places } = protection(workspace, scopes)
    return gitAllowed(writes, places)
  }
  expect(allowed('/w', '**', 'src/**')).toEqual([])
  expect(allowed('/w', '.git/**', 'fixtures/a.git/hooks/**')).toEqual(['/w/.git', '/w/fixtures/a.git'])
  expect(allowed('/w/a.git/main', '**', '..', 'src/**')).toEqual([])
  expect(allowed('/w/a.git/main', '../hooks.git/**')).toEqual(['/w/a.git/hooks.git'])
})
