/** What Claude Code makes of a shell command: part by part, with its rules and by itself. Pure. */

import { allowMatcher, denyMatcher, matchesBashRule, plainlyStartedBy } from './bash-rule.ts'
import { isEditCommand, isReadOnly } from './read-only-commands.ts'
import type { RuleInForce } from '../in-force/rules-in-force.ts'
import { isFreeInSandbox } from './sandboxed-line.ts'
import { partsOf, type Part, type RuleOnPart, type ShellSurroundings } from './shell-parts.ts'
import { uncheckedCommand } from './unchecked-command.ts'
import { delicateTargets, foreignIn, pathDenies, removesTooMuch } from './used-files.ts'
import { ownVariable, readShellLine, type ShellCommand, type ShellLine } from '../../../shell/shell-line.ts'

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
  /** Rules about paths that are left to the sandbox, where the command runs in it without asking. */
  readonly leftToSandbox?: readonly RuleOnPart[]
}

export function judgeShell(
  text: string,
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): ShellVerdict {
  const line = readShellLine(text, place.home)
  const parts = partsOf(line, place)
  const own = rules.filter(({ rule }) => rule.tool === 'Bash' && rule.content !== undefined)
  const paths = rules.filter(({ rule }) => rule.tool !== 'Bash' && rule.content !== undefined)
  const listed = (list: RuleInForce['entry']['list']): RuleInForce[] =>
    own.filter(({ entry }) => entry.list === list)
  const denied = matched(text, parts, listed('deny'))
  // Where the client cannot tell what runs, it cannot tell which files are used either.
  const isReadable = line.obstacle === undefined || line.obstacle === ownVariable
  const closed = isReadable ? pathDenies(parts, paths, place) : []
  const danger = parts.find((part) => removesTooMuch(part, place))
  const isSandboxed = place.excluded !== undefined && isFreeInSandbox(line, place.excluded)
  return {
    ...(isSandboxed
      ? { denied, leftToSandbox: closed }
      : { denied: [...denied, ...closed], ...doubtsAbout(line, parts, paths, place) }),
    asked: matched(text, parts, listed('ask')),
    isRefused: line.isRefused,
    ...(danger !== undefined && { danger: danger.command.text }),
    ...leaveFor(text, parts, listed('allow'), place),
  }
}

/** What the client asks about by itself. */
function doubtsAbout(
  line: ShellLine,
  parts: readonly Part[],
  paths: readonly RuleInForce[],
  place: ShellSurroundings,
): Pick<ShellVerdict, 'guarded' | 'escape' | 'foreign' | 'unchecked'> {
  const foreign =
    foreignIn(parts, paths, place) ?? (line.isDetached ? 'it may go on behind its back' : undefined)
  const unchecked = line.obstacle ?? firstOf(line.commands, uncheckedCommand)
  return {
    ...delicateTargets(parts, paths, place),
    ...(foreign !== undefined && { foreign }),
    ...(unchecked !== undefined && { unchecked }),
  }
}

function firstOf<In, Out>(all: readonly In[], look: (one: In) => Out | undefined): Out | undefined {
  for (const one of all) {
    const found = look(one)
    if (found !== undefined) return found
  }
  return undefined
}

/** What may run without asking, by rules or by itself, and what is left. */
function leaveFor(
  text: string,
  parts: readonly Part[],
  allows: readonly RuleInForce[],
  place: ShellSurroundings,
): Pick<ShellVerdict, 'allowed' | 'verbatim' | 'open' | 'isFree'> {
  const verbatim = allows.find(({ rule }) => rule.content === text.trim())
  const allowed = parts.map(({ command }) => allowedBy(command, allows))
  const open = parts.filter(({ command }, at) => allowed[at]!.length === 0 && !isRunAnyway(command, place))
  return {
    allowed: allowed.flat(),
    ...(verbatim !== undefined && { verbatim: { rule: verbatim, part: text } }),
    open: open.map(({ command }) => command.text),
    isFree: parts.every(({ command }) => isRunAnyway(command, place)),
  }
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
