/**
 * `shell:exec:git *` and the like. A safeguard against mistakes, not a security boundary: an allowed program can run
 * any other. The sandbox limits what a command can reach.
 */

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
function simpleCommands(text: string): string[] | undefined {
  // Substitutions, groups and functions run commands that do not start at a separator.
  if (/[`(){}]|\$\(|<<|\\\n/.test(text)) return undefined
  const parts = text
    .split(/[;&|\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !part.startsWith('#'))
  return parts.length === 0 ? undefined : parts
}

/** `*` matches anything; `git *` also matches `git` alone. Linear: every piece is searched once, from the left. */
function matchesPattern(command: string, pattern: string): boolean {
  if (pattern.endsWith(' *') && command === pattern.slice(0, -2)) return true
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return command === pattern
  const tail = rest.pop()!
  if (!command.startsWith(head) || command.length < head.length + tail.length || !command.endsWith(tail))
    return false
  let at = head.length
  for (const piece of rest) {
    const found = command.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return at <= command.length - tail.length
}
