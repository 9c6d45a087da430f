/** Other names of the same path: with its links resolved, and as the kernel resolves it. */

import { lstatSync, realpathSync } from 'node:fs'
import { dirname, resolve, sep } from 'node:path'

import { absolutePattern, isPlain, startsUnknown, type ShellPathPattern } from './path-pattern.ts'
import { UNKNOWN } from './shell-words.ts'

/** `/proc/self/root` and `/proc/self/cwd` differ in every process. */
export function seenFromHere(path: ShellPathPattern, cwd: string): ShellPathPattern {
  return path.replace(/^\/+proc\/[^/]+\/(?:task\/[^/]+\/)?(root|cwd)(?=\/|$)/, (_, what: string) =>
    what === 'root' ? '' : cwd,
  )
}

/** Resolves links in the literal prefix of the path that exists. */
export function realName(pattern: ShellPathPattern): ShellPathPattern {
  const segments = pattern.split('/')
  const firstWildcard = segments.findIndex((segment) => !isPlain(segment))
  const literalCount = firstWildcard === -1 ? segments.length : firstWildcard
  for (let length = literalCount; length > 1; length -= 1) {
    try {
      const real = realpathSync(segments.slice(0, length).join('/') || '/')
      return absolutePattern(`${real}/${segments.slice(length).join('/')}`, '/')
    } catch {
      // Does not exist; try its parent.
    }
  }
  return pattern
}

/** Resolves the path as the kernel does: links, including those in /proc, before a following `..`. */
export function kernelPath(path: ShellPathPattern, base: ShellPathPattern): ShellPathPattern {
  const full = path.startsWith('/') || startsUnknown(path) ? path : `${base}/${path}`
  if (startsUnknown(full) || !/\/\.\.(?:\/|$)|^(?=\/)[/.]*\/(?:proc|dev)\//.test(full)) {
    return absolutePattern(full, '/')
  }
  let at = path.startsWith('/') ? '' : realName(absolutePattern(base, '/'))
  for (const segment of path.split('/')) {
    if (segment === '' || segment === '.') continue
    if (segment !== '..') {
      const next = seenFromHere(`${at}/${segment}`, base)
      at = isPlain(next) && isLink(next) ? realName(next) : next
    } else if (isPlain(at.slice(at.lastIndexOf('/')))) at = dirname(at || '/')
    else at = UNKNOWN
    if (at === '/') at = ''
  }
  return at || '/'
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path || '/').isSymbolicLink()
  } catch {
    return false
  }
}

export function bothNames(path: string): string[] {
  const name = resolve(path)
  const real = realName(name)
  return real === name ? [name] : [name, real]
}

/** Each absolute path but the root by all of its names, without trailing slashes. */
export function allNamesOf(paths: readonly string[]): string[] {
  const named = paths.filter((path) => path.startsWith(sep) && resolve(path) !== sep)
  return [...new Set(named.flatMap(bothNames))]
}
