/**
 * `shell:exec:git *` and the like. A safeguard against mistakes, not a security boundary: an allowed program can run
 * any other. The sandbox limits what a command can reach.
 */

import { matchesStars } from '@contextd/shared/text/wildcard'
import type { Capability } from '../../core/capability.ts'

/** Whether every command in the text matches a granted pattern. */
export function isCommandGranted(command: string, grants: readonly Capability[]): boolean {
  const shell = grants.filter(({ kind }) => kind === 'shell:exec')
  const matches = (part: string, { scope, except = [] }: Capability): boolean =>
    (scope === undefined || matchesPattern(part, scope)) &&
    !except.some((other) => matchesPattern(part, other))
  if (shell.some(({ scope, except }) => scope === undefined && except === undefined)) return true
  const parts = simpleCommands(command)
  return parts !== undefined && parts.every((part) => shell.some((grant) => matches(part, grant)))
}

/**
 * The commands between `;`, `&&`, `||`, `|`, `&` and line ends; undefined if the text can contain commands elsewhere.
 */
export function simpleCommands(text: string): string[] | undefined {
  // Substitutions, groups and functions run commands that do not start at a separator.
  if (/[`(){}]|\$\(|<<|\\\n/.test(text)) return undefined
  const parts = text
    .split(/[;&|\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('#'))
  return parts.length === 0 ? undefined : parts
}

/** `*` matches anything; `git *` also matches `git` alone. */
function matchesPattern(command: string, pattern: string): boolean {
  return matchesStars(pattern, command) || (pattern.endsWith(' *') && command === pattern.slice(0, -2))
}
