/** What Claude Code makes of a shell command: part by part, with its rules and by itself. Pure. */

import { join } from 'node:path'
import { allowMatcher, denyMatcher, matchesBashRule, plainlyStartedBy, startedBy } from './bash-rule.ts'
import { allowingFile, allowsEdits, closesFile, isAllWithin, leadsOut, type Disk } from '../file-rules.ts'
import { absolutePath, isGuardedPath, matchesPathRule, type Anchors } from '../../rules/path-rule.ts'
import { isEditCommand, isReadOnly, isRecursiveRemoval, pathsOf } from './read-only-commands.ts'
import { isWithin } from '../../../../../platform/within.ts'
import type { RuleInForce } from '../rules-in-force.ts'
import type { Level } from '../../setup.ts'
import { isFreeInSandbox } from './sandboxed-line.ts'
import { uncheckedCommand } from './unchecked-command.ts'
import {
  ownVariable,
  readShellLine,
  type ShellCommand,
  type ShellLine,
} from '../../../../permissions/shell/shell-line.ts'

export interface ShellSurroundings extends Disk {
  /** The project and what was added to it, by all of their names. */
  readonly folders: readonly string[]
  readonly acceptsEdits: boolean
  /** Where commands run in a sandbox without a question: patterns of those that run outside of it. */
  readonly excluded?: readonly string[]
}

/** A rule and the part of the command that it is about. */
export interface RuleOnPart {
  readonly rule: RuleInForce
  readonly part: string
}

export interface ShellVerdict {
  readonly denied: readonly RuleOnPart[]
  readonly asked: readonly RuleOnPart[]
  /** Whether the client takes it for no command at all. */
  readonly isRefused: boolean
  /** What the client asks about whatever rules and modes say. */
  readonly danger?: string
  /** What it asks about also where all of Bash is allowed. */
  readonly guarded?: string
  /** Where it would write through a link out of the project, which it asks about also where all of Bash is allowed. */
  readonly escape?: string
  /** What it asks about unless all of Bash is allowed. */
  readonly foreign?: string
  /** What it asks about unless all of Bash is allowed, or a rule has the very text of the command. */
  readonly unchecked?: string
  /** Allowing rules, with the parts they are about. */
  readonly allowed: readonly RuleOnPart[]
  /** A rule that is word for word the whole command. */
  readonly verbatim?: RuleOnPart
  /** Parts that no rule allows and that the client does not run by itself. */
  readonly open: readonly string[]
  /** Whether the client runs all of it by itself, without any rule. */
  readonly isFree: boolean
  /** Rules about paths that are left to the sandbox, where the command runs in it without a question. */
  readonly leftToSandbox?: readonly RuleOnPart[]
}

interface Part {
  readonly command: ShellCommand
  readonly read: readonly string[]
  readonly written: readonly string[]
  /** Files that output goes to. */
  readonly outputs: readonly string[]
  /** What keeps the client from telling where a path leads. */
  readonly unclear?: string
}

const goesBack = /(?:^|\/)(?!\.{1,2}\/)[^/]+\/\.\.(?:\/|$)/
/** Also where quotes keep the shell from filling it in; braces and wildcards count in what is written. */
const mayBeFilledIn = /^[~=]|[$`]/
const mayBeSeveral = /[*?[]|^[^{]*\}|\{(?![^{}]*(?:,|\.\.)[^{}]*\})/

function unclearIn(given: readonly string[], written: readonly string[]): string | undefined {
  const returning = given.find((path) => goesBack.test(path))
  if (returning !== undefined) return `${returning} goes up again behind a folder, which may be a link`
  const filled =
    given.find((path) => mayBeFilledIn.test(path)) ?? written.find((path) => mayBeSeveral.test(path))
  return filled && `only the shell knows what ${filled} stands for`
}

export function judgeShell(
  text: string,
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): ShellVerdict {
  const line = readShellLine(text, place.home)
  const parts = withPaths(line, place)
  const own = rules.filter(({ rule }) => rule.tool === 'Bash' && rule.content !== undefined)
  const listed = (list: RuleInForce['entry']['list']): RuleInForce[] =>
    own.filter(({ entry }) => entry.list === list)
  const paths = rules.filter(({ rule }) => rule.tool !== 'Bash' && rule.content !== undefined)
  const allows = listed('allow')
  const verbatim = allows.find(({ rule }) => rule.content === text.trim())
  const danger = parts.find((part) => removesTooMuch(part, place))
  const targets = parts.flatMap(({ written, outputs }) =>
    [...written, ...outputs].map((path) => place.namesOf(path).all),
  )
  const guarded = targets.flat().find(isGuardedPath)
  const edits = paths.filter(allowsEdits)
  const escape = targets.find(
    (names) =>
      leadsOut(names, place.folders) && allowingFile(edits, names, place, meansFolderOrFile).length === 0,
  )
  const foreign =
    foreignIn(parts, paths, place) ?? (line.isDetached ? 'it may go on behind its back' : undefined)
  const unchecked = line.obstacle ?? firstOf(line.commands, uncheckedCommand)
  const allowed = parts.map(({ command }) => allowedBy(command, allows))
  const open = parts.filter(({ command }, at) => allowed[at]!.length === 0 && !isRunAnyway(command, place))
  const denied = matched(text, parts, listed('deny'))
  // Where the client cannot tell what runs, it cannot tell which files are used either.
  const isReadable = line.obstacle === undefined || line.obstacle === ownVariable
  const closed = isReadable ? pathDenies(parts, paths, place) : []
  const isSandboxed = place.excluded !== undefined && isFreeInSandbox(line, place.excluded)
  return {
    ...(isSandboxed
      ? { denied, leftToSandbox: closed }
      : {
          denied: [...denied, ...closed],
          ...(guarded !== undefined && { guarded }),
          ...(escape !== undefined && { escape: escape.at(-1)! }),
          ...(foreign !== undefined && { foreign }),
          ...(unchecked !== undefined && { unchecked }),
        }),
    asked: matched(text, parts, listed('ask')),
    isRefused: line.isRefused,
    ...(danger !== undefined && { danger: danger.command.text }),
    allowed: allowed.flat(),
    ...(verbatim !== undefined && { verbatim: { rule: verbatim, part: text } }),
    open: open.map(({ command }) => command.text),
    isFree: parts.every(({ command }) => isRunAnyway(command, place)),
  }
}

/** Folders that the command goes to count for what follows. */
function withPaths({ commands, isDetached }: ShellLine, place: ShellSurroundings): Part[] {
  let folder = place.project
  return commands.map((command) => {
    const words = startedBy(command.words)
    const at = (paths: readonly string[]): string[] => paths.map((path) => absolutePath(path, place, folder))
    const goes = /^(?:cd|pushd)$/.test(words[0] ?? '')
    // In a shell of its own the client does not follow.
    const { read, written } = goes && isDetached ? { read: [], written: [] } : pathsOf(words)
    const given = [...read, ...written, ...command.readsFrom, ...command.writesTo]
    const unclear = unclearIn(given, [...written, ...command.writesTo])
    const part = {
      command,
      ...(unclear !== undefined && { unclear }),
      read: at([...read, ...command.readsFrom]),
      written: at(written),
      outputs: at(command.writesTo.filter((path) => !/^\/dev\/(?:null|stdout|stderr|tty)$/.test(path))),
    }
    if (goes && !isDetached) folder = absolutePath(words[1] ?? '~', place, folder)
    return part
  })
}

function matched(text: string, parts: readonly Part[], rules: readonly RuleInForce[]): RuleOnPart[] {
  if (rules.length === 0) return []
  const matchers = parts.map(({ command }) => ({ part: command.text, means: denyMatcher(command) }))
  return rules.flatMap((rule) => {
    const content = rule.rule.content!
    if (matchesBashRule(content, text.trim())) return [{ rule, part: text.trim() }]
    const met = matchers.find(({ means }) => means(content))
    return met === undefined ? [] : [{ rule, part: met.part }]
  })
}

/** Read rules hold for what a command reads and Edit rules for what it writes, as far as the client knows the command. */
function pathDenies(
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

function removesTooMuch({ command, written }: Part, { project, home }: ShellSurroundings): boolean {
  return (
    isRecursiveRemoval(startedBy(command.words)) &&
    written.some((path) => path === home || isWithin(path, project) || isWithin(path, home))
  )
}

/** What of a command stands where it may not be used without asking. */
function foreignIn(
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

function firstOf<In, Out>(all: readonly In[], look: (one: In) => Out | undefined): Out | undefined {
  for (const one of all) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}

function allowedBy(command: ShellCommand, rules: readonly RuleInForce[]): RuleOnPart[] {
  const means = allowMatcher(command)
  return rules.filter(({ rule }) => means(rule.content!)).map((rule) => ({ rule, part: command.text }))
}

/** What only looks, and in `acceptEdits` what edits files. */
function isRunAnyway(command: ShellCommand, { acceptsEdits }: ShellSurroundings): boolean {
  const words = plainlyStartedBy(command.words)
  if (words.length === 0 || words.some((word) => word.startsWith('~'))) return false
  return isReadOnly(words) || (acceptsEdits && isEditCommand(words))
}
