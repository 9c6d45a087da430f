/** The client's own tools may not write files that determine what other programs run, unless the user permits it. */

import { statSync } from 'node:fs'

import type { JsonObject } from '@contextd/shared/json/value'
import {
  isBelowOneOf,
  protectedMatches,
  type ProtectedMatch,
} from '../../../platform/places/protected-match.ts'
import { isWithin } from '@contextd/shared/files/within'
import { realName } from './path-names.ts'
import type { HookPayload, HookPorts } from './hook.ts'
import { absolutePattern, isPlain, type ShellPathPattern } from './path-pattern.ts'
import { shellWrites } from './shell-writes.ts'
import { shellTexts, writtenPaths } from './tool-input.ts'

/** The first protected path that this tool call would write. */
export function findProtectedWrite(
  { cwd }: HookPayload,
  tool: string,
  input: JsonObject,
  ports: HookPorts,
): ProtectedMatch | undefined {
  const { env } = ports
  const named = writesFiles(tool) ? writtenPaths(tool, input, env) : []
  const written = [
    ...named.map((path) => absolutePattern(path, cwd)),
    ...shellTexts(input).flatMap((text) => shellWrites(text, { cwd, env }, isFolder)),
  ]
  const project = env.CLAUDE_PROJECT_DIR
  for (const path of new Set(written.flatMap((pattern) => [pattern, realName(pattern)]))) {
    const from = project && isWithin(project, path) ? project.split('/').filter(Boolean).length : 0
    for (const match of protectedMatches(path, { from, home: env.HOME ?? '/' })) {
      if (!isBelowOneOf(ports.allowProtected, path, match.at)) return match
    }
  }
  return undefined
}

function isFolder(path: ShellPathPattern): boolean {
  try {
    return isPlain(path) && statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** The client's own writing tools, and tools of other servers whose names suggest writing. */
export function writesFiles(tool: string): boolean {
  return writes.test(tool)
}

const writes =
  /^(?:Write|Edit|MultiEdit|NotebookEdit)$|^mcp__.*(?:write|edit|create|move|rename|copy|save|append|insert|replace|update|patch|modify|download)/i

/**
 * The message for the model, with the next step for the user. It lists every permitted path, because `config set`
 * replaces the list.
 */
export function describeProtected(
  { path, reason }: ProtectedMatch,
  { allowProtected }: Pick<HookPorts, 'allowProtected'>,
): string {
  const permitted = [...allowProtected, path].join(',')
  return `Agents may not write ${path}: ${reason}. Tell the user what to change in it. To permit it, they run \`ctxd config set client.allow_protected ${permitted}\` in a terminal; it applies immediately.`
}
