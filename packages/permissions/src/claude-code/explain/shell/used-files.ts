/** Evaluates a command by the files that it uses. Pure. */

import { join } from 'node:path'

import { startedBy } from './bash-rule.ts'
import {
  rulesAllowingFile,
  allowsEdits,
  matchesAnyName,
  isAllWithin,
  resolvesOutside,
  type Disk,
} from '../in-force/file-rules.ts'
import { isGuardedPath, matchesPathRule, type Anchors } from '../../rules/path-rule.ts'
import { isRecursiveRemoval } from './read-only-commands.ts'
import { isWithin } from '@contextd/shared/files/within'
import type { RuleInForce } from '../in-force/rules-in-force.ts'
import type { Level } from '../../setup/setup.ts'
import type { Part, RuleOnPart, ShellSurroundings } from './shell-parts.ts'
import type { ShellCommand } from '../../../shell/shell-line.ts'

/** Read rules apply to files a command reads and Edit rules to files it writes, for commands the client knows. */
export function pathDenies(
  parts: readonly Part[],
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): RuleOnPart[] {
  return rules
    .filter(({ entry }) => entry.list === 'deny')
    .flatMap((rule) => {
      const matches = (path: string): boolean =>
        matchesAnyName(rule, place.namesOf(path).all, place, matchesFolderOrFile)
      const part = parts.find(({ read, written, outputs }) =>
        (rule.rule.tool === 'Read' ? read : [...written, ...outputs]).some(matches),
      )
      return part === undefined ? [] : [{ rule, part: part.command.text }]
    })
}

/** `secret/**` also matches the folder itself, because a command on the folder affects everything in it. */
function matchesFolderOrFile(content: string, level: Level, path: string, place: Anchors): boolean {
  return (
    matchesPathRule(content, level, path, place) ||
    (content.endsWith('**') && matchesPathRule(content, level, join(path, 'any'), place))
  )
}

export function removesTooMuch({ command, written }: Part, { project, home }: ShellSurroundings): boolean {
  return (
    isRecursiveRemoval(startedBy(command.words)) &&
    written.some((path) => path === home || isWithin(path, project) || isWithin(path, home))
  )
}

/** Written files that the client asks about even if all of Bash is allowed. */
export function protectedTargets(
  parts: readonly Part[],
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): { readonly guarded?: string; readonly escape?: string } {
  const targets = parts.flatMap(({ written, outputs }) =>
    [...written, ...outputs].map((path) => place.namesOf(path).all),
  )
  const guarded = targets.flat().find(isGuardedPath)
  const edits = rules.filter(allowsEdits)
  const escape = targets.find(
    (names) =>
      resolvesOutside(names, place.folders) &&
      rulesAllowingFile(edits, names, place, matchesFolderOrFile).length === 0,
  )
  return {
    ...(guarded !== undefined && { guarded }),
    ...(escape !== undefined && { escape: escape.at(-1)! }),
  }
}

/** Why the client asks about the paths of a command: outside the allowed folders, or not known. */
export function outsideUse(
  parts: readonly Part[],
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): string | undefined {
  const isInside = (names: readonly string[]): boolean => isAllWithin(place.folders, names)
  const isAllowedFor = (tool: string, names: readonly string[]): boolean => {
    const allows = rules.filter(({ entry, rule }) => entry.list === 'allow' && rule.tool === tool)
    return rulesAllowingFile(allows, names, place, matchesFolderOrFile).length > 0
  }
  const allNames = (path: string): readonly string[] => place.namesOf(path).all
  const moves = parts.filter(({ command }) => changesFolder(command))
  const changesDirectory = moves.length > 0
  if (moves.length > 1) return 'it changes to several folders'
  const leavesDirectory = moves.some(({ command }) => command.words[1] !== '.')
  if (leavesDirectory && parts.some(({ command }) => startedBy(command.words)[0] === 'git'))
    return 'the folder it changes to may contain `git` configuration'
  for (const { command, read, written, outputs, unclear } of parts) {
    if (unclear !== undefined) return unclear
    if (written.length > 0 && command.patterns.length > 0) return 'only the shell knows which files it writes'
    if (changesDirectory && written.length > 0) return 'it changes to another folder and writes there'
    // Everything that a writing command uses is treated as written.
    const permission = written.length > 0 ? 'Edit' : 'Read'
    const used = [...read.map((path) => namesToRead(path, place)), ...written.map(allNames)]
    const names =
      used.find((one) => !isInside(one) && !isAllowedFor(permission, one)) ??
      outputs
        .map(allNames)
        .find((one) => !(place.acceptsEdits && isInside(one)) && !isAllowedFor('Edit', one))
    if (names !== undefined) return `it uses ${names.at(-1)}`
  }
  return undefined
}

const changesFolder = ({ words }: ShellCommand): boolean => /^(?:cd|pushd|popd)$/.test(words[0] ?? '')

/** For files a command reads, the client checks the real path if the file exists. */
function namesToRead(path: string, { namesOf }: Disk): readonly string[] {
  const { all, isThere } = namesOf(path)
  return isThere ? all.slice(-1) : all
}
