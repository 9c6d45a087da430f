/** How Claude Code evaluates a shell command: part by part, by its rules and built-in behavior. Pure. */

import { allowMatcher, denyMatcher, matchesBashRule, plainlyStartedBy } from './bash-rule.ts'
import { isEditCommand, isReadOnly } from './read-only-commands.ts'
import type { RuleInForce } from '../in-force/rules-in-force.ts'
import { isFreeInSandbox } from './sandboxed-line.ts'
import { partsOf, type Part, type RuleOnPart, type ShellSurroundings } from './shell-parts.ts'
import { uncheckedCommand } from './unchecked-command.ts'
import { protectedTargets, outsideUse, pathDenies, removesTooMuch } from './used-files.ts'
import { ownVariable, readShellLine, type ShellCommand, type ShellLine } from '../../../shell/shell-line.ts'

export interface ShellVerdict {
  readonly denied: readonly RuleOnPart[]
  readonly asked: readonly RuleOnPart[]
  /** Whether the client rejects the command as invalid. */
  readonly isRefused: boolean
  /** Text that the client always asks about, regardless of rules and modes. */
  readonly danger?: string
  /** A path that it asks about even if all of Bash is allowed. */
  readonly guarded?: string
  /** A path outside the project that it would write through a link; prompts even if all of Bash is allowed. */
  readonly escape?: string
  /** Why it asks unless all of Bash is allowed. */
  readonly foreign?: string
  /** What it asks about unless all of Bash or the exact text of the command is allowed. */
  readonly unchecked?: string
  /** Allow rules, with the parts they match. */
  readonly allowed: readonly RuleOnPart[]
  /** An allow rule whose content is the exact text of the command. */
  readonly verbatim?: RuleOnPart
  /** Parts that no rule allows and that the client does not run without asking. */
  readonly open: readonly string[]
  /** Whether the client runs every part without asking, even with no rule. */
  readonly isFree: boolean
  /** Path rules left to the sandbox, if the command runs in it without asking. */
  readonly leftToSandbox?: readonly RuleOnPart[]
}

export function judgeShell(
  text: string,
  rules: readonly RuleInForce[],
  place: ShellSurroundings,
): ShellVerdict {
  const line = readShellLine(text, place.home)
  const parts = partsOf(line, place)
  const bashRules = rules.filter(({ rule }) => rule.tool === 'Bash' && rule.content !== undefined)
  const pathRules = rules.filter(({ rule }) => rule.tool !== 'Bash' && rule.content !== undefined)
  const listed = (list: RuleInForce['entry']['list']): RuleInForce[] =>
    bashRules.filter(({ entry }) => entry.list === list)
  const denied = matched(text, parts, listed('deny'))
  // If the client cannot determine what runs, it cannot determine which files are used.
  const isReadable = line.obstacle === undefined || line.obstacle === ownVariable
  const deniedPaths = isReadable ? pathDenies(parts, pathRules, place) : []
  const danger = parts.find((part) => removesTooMuch(part, place))
  const isSandboxed = place.excluded !== undefined && isFreeInSandbox(line, place.excluded)
  return {
    ...(isSandboxed
      ? { denied, leftToSandbox: deniedPaths }
      : { denied: [...denied, ...deniedPaths], ...promptsFor(line, parts, pathRules, place) }),
    asked: matched(text, parts, listed('ask')),
    isRefused: line.isRefused,
    ...(danger !== undefined && { danger: danger.command.text }),
    ...allowedParts(text, parts, listed('allow'), place),
  }
}

/** What the client asks about regardless of ask rules. */
function promptsFor(
  line: ShellLine,
  parts: readonly Part[],
  paths: readonly RuleInForce[],
  place: ShellSurroundings,
): Pick<ShellVerdict, 'guarded' | 'escape' | 'foreign' | 'unchecked'> {
  const foreign =
    outsideUse(parts, paths, place) ?? (line.isDetached ? 'it may keep running in the background' : undefined)
  const unchecked = line.obstacle ?? firstOf(line.commands, uncheckedCommand)
  return {
    ...protectedTargets(parts, paths, place),
    ...(foreign !== undefined && { foreign }),
    ...(unchecked !== undefined && { unchecked }),
  }
}

function firstOf<In, Out>(all: readonly In[], look: (one: In) => Out | undefined): Out | undefined {
  for (const one of all) {
    const result = look(one)
    if (result !== undefined) return result
  }
  return undefined
}

/** Which parts run without asking, by rules or built-in behavior, and which do not. */
function allowedParts(
  text: string,
  parts: readonly Part[],
  allows: readonly RuleInForce[],
  place: ShellSurroundings,
): Pick<ShellVerdict, 'allowed' | 'verbatim' | 'open' | 'isFree'> {
  const verbatim = allows.find(({ rule }) => rule.content === text.trim())
  const allowed = parts.map(({ command }) => allowedBy(command, allows))
  const uncovered = parts.filter(
    ({ command }, at) => allowed[at]!.length === 0 && !runsUnasked(command, place),
  )
  return {
    allowed: allowed.flat(),
    ...(verbatim !== undefined && { verbatim: { rule: verbatim, part: text } }),
    open: uncovered.map(({ command }) => command.text),
    isFree: parts.every(({ command }) => runsUnasked(command, place)),
  }
}

function matched(text: string, parts: readonly Part[], rules: readonly RuleInForce[]): RuleOnPart[] {
  if (rules.length === 0) return []
  const matchers = parts.map(({ command }) => ({ part: command.text, matches: denyMatcher(command) }))
  return rules.flatMap((rule) => {
    const content = rule.rule.content!
    if (matchesBashRule(content, text.trim())) return [{ rule, part: text.trim() }]
    const matcher = matchers.find(({ matches }) => matches(content))
    return matcher === undefined ? [] : [{ rule, part: matcher.part }]
  })
}

function allowedBy(command: ShellCommand, rules: readonly RuleInForce[]): RuleOnPart[] {
  const matches = allowMatcher(command)
  return rules.filter(({ rule }) => matches(rule.content!)).map((rule) => ({ rule, part: command.text }))
}

/** Whether the client runs it without a rule: read-only commands, and in `acceptEdits` also edits of files. */
function runsUnasked(command: ShellCommand, { acceptsEdits }: ShellSurroundings): boolean {
  const words = plainlyStartedBy(command.words)
  if (words.length === 0 || words.some((word) => word.startsWith('~'))) return false
  return isReadOnly(words) || (acceptsEdits && isEditCommand(words))
}
