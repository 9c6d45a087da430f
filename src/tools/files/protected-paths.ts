/**
 * Files that decide what other programs run: hooks, editor settings, shell start-up files, the settings of agents. An
 * agent that could write them would run code outside every sandbox, as soon as a person opens the folder. They are
 * written only where a grant names them.
 */

import { join } from 'node:path'

import { grantsPath, type PathGrant } from './path-grants.ts'
import { foldCase, isWithin, namesOf, readPattern, type Places } from './path-pattern.ts'

/** Protected in every folder of the workspace, with all that is below. */
export const protectedPaths: readonly string[] = [
  '.git',
  '.gitmodules',
  '.gitconfig',
  // Where `core.hooksPath` usually points.
  '.husky',
  '.githooks',
  '.mcp.json',
  '.mcp-gateway-rules.json',
  '.claude',
  '.contextd',
  '.opencode',
  'opencode.json',
  'opencode.jsonc',
  '.cursor',
  '.vscode',
  '.idea',
  '.zed',
  '.devcontainer',
  '.envrc',
  '.bashrc',
  '.bash_profile',
  '.bash_login',
  '.bash_logout',
  '.profile',
  '.zshrc',
  '.zshenv',
  '.zprofile',
  '.zlogin',
  '.zlogout',
  '.config/fish',
  '.vimrc',
  '.exrc',
  '.nvimrc',
  '.nvim.lua',
  '.emacs',
  '.emacs.d',
  '.dir-locals.el',
  '.tmux.conf',
  '.inputrc',
  '.ripgreprc',
  '.ssh',
]

export interface Protection {
  readonly places: Places
  /** What `fs:write` is granted for. */
  readonly writes: readonly PathGrant[]
  /** More paths of this workspace, from the configuration. One with a wildcard protects the folder that has it. */
  readonly protect: readonly string[]
}

const entries = protectedPaths.map((path) => path.split('/'))

/**
 * Whether a file with this absolute path may not be written. A grant lifts the protection where it names the protected
 * path or its first folder as it is, as `.claude/**` does; a wildcard such as `**` names nothing.
 */
export function isProtected(path: string, { places, writes, protect }: Protection): boolean {
  const names = namesOf(path)
  const folded = names.map(foldCase)
  const inside = isWithin(path, places.workspace) ? namesOf(places.workspace).length : 0
  const isNamed = (least: number): boolean =>
    writes.some((grant) => grant.pattern.names.length >= least && grantsPath(grant, path))
  for (let at = inside; at < names.length; at++) {
    const here = folded.slice(at)
    if (entries.some((entry) => overlaps(here, entry)) && !isNamed(at + 1)) return true
  }
  return protect.some((text) => {
    const entry = readPattern(text, places)?.names
    if (entry === undefined || !overlaps(folded, entry.map(foldCase))) return false
    return !isNamed(Math.max(entry.length, inside + 1))
  })
}

/** True for the entry itself, for what is below, and for a file in place of one of its folders. */
function overlaps(names: readonly string[], entry: readonly string[]): boolean {
  const length = Math.min(names.length, entry.length)
  for (let at = 0; at < length; at++) if (entry[at] !== names[at]) return false
  return true
}

/**
 * What a sandboxed command must find read-only, whether it is there yet or not: the protected paths at the top of the
 * workspace. In deeper folders only safe_write looks: every new project has some, and what a command makes there is part
 * of its work. Repositories are guarded by what git would do with them, see `src/tools/repositories/`.
 */
export function guardedPaths(protection: Protection): string[] {
  const { places, protect } = protection
  const atTop = protectedPaths.filter((path) => path !== '.git').map((path) => join(places.workspace, path))
  const own = protect.flatMap((text) => {
    const entry = readPattern(text, places)
    return entry === undefined ? [] : [`/${entry.names.join('/')}`]
  })
  return [...atTop, ...own].filter((path) => isProtected(path, protection))
}

/** The folders of repositories that a grant to write names, as `.git/**` and `fixtures/a.git/**` do. */
export function gitAllowed(writes: readonly PathGrant[]): string[] {
  return writes.flatMap(({ pattern: { names } }) => {
    const at = names.findIndex((name) => name.endsWith('.git'))
    return at === -1 ? [] : [`/${names.slice(0, at + 1).join('/')}`]
  })
}
