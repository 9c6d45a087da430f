/** Paths in permission rules: where a pattern is anchored, and which files it matches. Pure: does not access files. */

import { join, resolve, sep } from 'node:path'

import { readIgnorePattern } from '@contextd/shared/files/ignore-pattern'
import { relativeWithin } from '@contextd/shared/files/within'
import type { ClaudeSetup, Level } from '../setup/setup.ts'

export type Anchors = Pick<ClaudeSetup, 'project' | 'home' | 'config'>

/** Resolves a path given to a tool or in a command. */
export function absolutePath(path: string, { project, home }: Anchors, folder = project): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
  // Rules write `//` for the root, and so may a question.
  return resolve(folder, path.replace(/^\/\//, '/'))
}

/**
 * `//x` is anchored at the root, `~/x` at home, `/x` at the project (in user settings: at the client's config folder),
 * and anything else in the project, at any depth if it has no inner slash. As in a `.gitignore`, a folder matches
 * everything in it; unlike there, matching is case-insensitive.
 */
export function matchesPathRule(content: string, level: Level, path: string, places: Anchors): boolean {
  const { base, line } = anchorOf(content, level, places)
  const below = relativeWithin(base, path)
  if (below === undefined || below === '') return false
  const pattern = readIgnorePattern(line.toLowerCase())
  if (pattern === undefined || pattern.negated) return false
  const names = below.toLowerCase().split(sep)
  return names.some(
    (_, index) =>
      (index < names.length - 1 || !pattern.foldersOnly) && pattern.matches(names.slice(0, index + 1)),
  )
}

/** The folder where a pattern is anchored, and the pattern relative to it. */
export function anchorOf(
  content: string,
  level: Level,
  { project, home, config }: Anchors,
): { readonly base: string; readonly line: string } {
  if (content.startsWith('//')) return { base: '/', line: content.slice(1) }
  if (content.startsWith('~/')) return { base: home, line: content.slice(1) }
  if (content.startsWith('/')) return { base: level === 'user' ? config : project, line: content }
  return { base: project, line: content.replace(/^\.\//, '') }
}

/** Splits a pattern before its first segment with a wildcard. */
export function splitAtWildcard(line: string): { readonly plain: string[]; readonly rest: string[] } {
  const names = line.split('/').filter(Boolean)
  const wild = names.findIndex((name) => /[*?[\\]/.test(name))
  const end = wild === -1 ? names.length : wild
  return { plain: names.slice(0, end), rest: names.slice(end) }
}

/** The client asks before writing these, even if a rule allows it: they configure agents or are executed automatically. */
const guardedFolders = new Set([
  '.claude',
  '.git',
  '.vscode',
  '.idea',
  '.husky',
  '.devcontainer',
  '.cargo',
  '.mvn',
  '.yarn',
])
/** Folders in `.claude` that agents may write. */
const freeFolders = new Set(['worktrees', 'agent-memory'])
const guardedFiles = new Set([
  '.mcp.json',
  '.claude.json',
  '.gitmodules',
  '.gitconfig',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.profile',
  '.npmrc',
  '.yarnrc',
  '.yarnrc.yml',
  '.pnp.cjs',
  '.pnpmfile.cjs',
  'bunfig.toml',
  '.bazelrc',
  'lefthook.yml',
  'lefthook.yaml',
  '.lefthook.yml',
  '.lefthook.yaml',
  '.envrc',
  '.ripgreprc',
  '.pre-commit-config.yaml',
])

export function isGuardedPath(path: string): boolean {
  const names = path.toLowerCase().split(sep)
  const isGuarded = names.some(
    (name, index) =>
      guardedFolders.has(name) && !(name === '.claude' && freeFolders.has(names[index + 1] ?? '')),
  )
  return isGuarded || guardedFiles.has(names.at(-1)!) || path.toLowerCase().endsWith('/.config/git/config')
}
