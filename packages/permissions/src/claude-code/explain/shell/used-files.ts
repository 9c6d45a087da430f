/** What is said of a command because of the files that it uses. Pure. */

import { join } from 'node:path'

import { startedBy } from './bash-rule.ts'
import {
  allowingFile,
  allowsEdits,
  closesFile,
  isAllWithin,
  leadsOut,
  type Disk,
} from '../in-force/file-rules.ts'
import { isGuardedPath, matchesPathRule, type Anchors } from '../../rules/path-rule.ts'
import { isRecursiveRemoval } from './read-only-commands.ts'
import { isWithin } from '@contextd/shared/files/within'
import type { RuleInForce } from '../in-force/rules-in-force.ts'
import type { Level } from '../../setup/setup.ts'
import type { Part, RuleOnPart, ShellSurroundings } from './shell-parts.ts'
import type { ShellCommand } from '../../../shell/shell-line.ts'

/** Read rules hold for what a command reads and Edit rules for what it writes, as far as the client knows the command. */
export function pathDenies(
  parts: readonly Part[],
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): RuleOnPart[] {
  return rules
    .filter(({ entry }) => entry.list === 'deny')
    .flatMap((rule) => {
      const means = (path: string): boolean =>
        closesFile(rule, place.namesOf(path).all, place, meansFolderOrFile)
      const part = parts.find(({ read, written, outputs }) =>
        (rule.rule.tool === 'Read' ? read : [...written, ...outputs]).some(means),
      )
      return part === undefined ? [] : [{ rule, part: part.command.text }]
    })
}

/** `secret/**` means the folder too: a command that takes it takes all of it. */
function meansFolderOrFile(content: string, level: Level, path: string, place: Anchors): boolean {
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

/** Files that it writes and that the client asks about also where all of Bash is allowed. */
export function delicateTargets(
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
      leadsOut(names, place.folders) && allowingFile(edits, names, place, meansFolderOrFile).length === 0,
  )
  return {
    ...(guarded !== undefined && { guarded }),
    ...(escape !== undefined && { escape: escape.at(-1)! }),
  }
}

/** What of a command stands where it may not be used without asking. */
export function foreignIn(
  parts: readonly Part[],
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): string | undefined {
  const isInside = (names: readonly string[]): boolean => isAllWithin(place.folders, names)
  const isAllowedFor = (tool: string, names: readonly string[]): boolean => {
    const allows = rules.filter(({ entry, rule }) => entry.list === 'allow' && rule.tool === tool)
    return allowingFile(allows, names, place, meansFolderOrFile).length > 0
  }
  const allNames = (path: string): readonly string[] => place.namesOf(path).all
  const moves = parts.filter(({ command }) => changesFolder(command))
  const goes = moves.length > 0
  if (moves.length > 1) return 'it goes to several folders'
  const leaves = moves.some(({ command }) => command.words[1] !== '.')
  if (leaves && parts.some(({ command }) => startedBy(command.words)[0] === 'git'))
    return 'the folder that it goes to may have settings for `git`'
  for (const { command, read, written, outputs, unclear } of parts) {
    if (unclear !== undefined) return unclear
    if (written.length > 0 && command.patterns.length > 0) return 'only the shell knows which files it writes'
    if (goes && written.length > 0) return 'it goes to another folder and writes there'
    // What a command that writes only reads counts as written too.
    const leave = written.length > 0 ? 'Edit' : 'Read'
    const used = [...read.map((path) => namesToRead(path, place)), ...written.map(allNames)]
    const names =
      used.find((one) => !isInside(one) && !isAllowedFor(leave, one)) ??
      outputs
        .map(allNames)
        .find((one) => !(place.acceptsEdits && isInside(one)) && !isAllowedFor('Edit', one))
    if (names !== undefined) return `it uses ${names.at(-1)}`
  }
  return undefined
}

const changesFolder = ({ words }: ShellCommand): boolean => /^(?:cd|pushd|popd)$/.test(words[0] ?? '')

/** What a command reads the client looks for where it really stands, as long as it is there. */
function namesToRead(path: string, { namesOf }: Disk): readonly string[] {
  const { all, isThere } = namesOf(path)
  return isThere ? all.slice(-1) : all
}
