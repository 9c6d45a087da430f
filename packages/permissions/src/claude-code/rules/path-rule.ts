/** Paths in permission rules: where a pattern begins, and which files it means. Pure: no file is looked at. */

import { join, resolve, sep } from 'node:path'

import { readIgnorePattern } from '@contextd/shared/files/ignore-pattern'
import { relativeWithin } from '@contextd/shared/files/within'
import type { ClaudeSetup, Level } from '../setup/setup.ts'

export type Anchors = Pick<ClaudeSetup, 'project' | 'home' | 'config'>

/** Where a file stands that a tool or a command names. */
export function absolutePath(path: string, { project, home }: Anchors, folder = project): string {
  if (path === '~' || path.startsWith('~/')) return join(home, path.slice(1))
  // Rules write `//` for the root, and so may a question.
  return resolve(folder, path.replace(/^\/\//, '/'))
}

/**
 * `//x` begins at the root, `~/x` at home, `/x` at the project (or the client's own folder, in the settings of the
 * person), and anything else in the project, at any depth where it has no slash inside. As in a `.gitignore`, a folder
 * means all that is in it; other than there, case does not count.
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

/** Where a pattern begins, and what of it stands below. */
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

/** The names in a pattern up to the first with a wildcard, and those from there on. */
export function plainStart(line: string): { readonly plain: string[]; readonly rest: string[] } {
  const names = line.split('/').filter(Boolean)
  const wild = names.findIndex((name) => /[*?[\\]/.test(name))
  const end = wild === -1 ? names.length : wild
  return { plain: names.slice(0, end), rest: names.slice(end) }
}

/** What the client writes only after it asked, also where a rule allows it: what decides about agents and what runs by itself. */
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
/** In `.claude`, what agents write all the time. */
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
