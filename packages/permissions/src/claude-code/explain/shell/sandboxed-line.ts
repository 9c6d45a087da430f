/** Which commands the client runs in its sandbox without asking, if its settings allow that. Pure. */

import {
  excludedForms,
  isAssignment,
  isHarmlessVariable,
  matchesBashRule,
  plainlyStartedBy,
  setsVariable,
  startedBy,
} from './bash-rule.ts'
import { isReadOnly } from './read-only-commands.ts'
import { uncheckedCommand } from './unchecked-command.ts'
import { ownVariable, type ShellLine } from '../../../shell/shell-line.ts'
import { isFilledIn, type ShellCommand } from '../../../shell/simple-command.ts'

/** `excluded`: patterns of commands that run outside the sandbox. */
export function isFreeInSandbox(line: ShellLine, excluded: readonly string[]): boolean {
  const isClear = (command: ShellCommand): boolean =>
    !isOpaque(command) && uncheckedCommand(command) === undefined
  return (
    line.opaque === undefined &&
    line.commands.every(isClear) &&
    !mayChangeOthers(line) &&
    !leavesSandbox(line, excluded)
  )
}

/** A line runs outside the sandbox only if every command in it is excluded. */
export function leavesSandbox({ commands, isPlain }: ShellLine, excluded: readonly string[]): boolean {
  return isPlain && commands.length > 0 && commands.every((command) => isExcluded(command, excluded))
}

function isExcluded(
  { text, words, readsFrom, writesTo }: ShellCommand,
  excluded: readonly string[],
): boolean {
  if (words[0] === 'cd' || readsFrom.length > 0 || writesTo.length > 0) return false
  const forms = excludedForms(words)
  if (forms.some(hasInlineCode)) return false
  return excluded.some((pattern) =>
    [text, ...forms.map((form) => form.join(' '))].some((form) => matchesBashRule(pattern, form)),
  )
}

/** Interpreters with code from the command line or standard input stay in the sandbox even if excluded. */
const interpreters = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|bash|sh|zsh|dash)$/
const inlineCodeFlags = /^(?:-[A-Za-z]*[ceEpr]|--(?:eval|print|require)|-|eval)$/

function hasInlineCode([name = '', ...rest]: readonly string[]): boolean {
  if (/^(?:awk|gawk|mawk)$/.test(name)) return true
  if (!interpreters.test(name)) return false
  const file = rest.findIndex((word) => !word.startsWith('-') && word !== 'eval')
  return (
    rest.length === 0 ||
    rest.slice(0, file === -1 ? undefined : file).some((word) => inlineCodeFlags.test(word))
  )
}

/** Commands that the client cannot analyze if any of their words is expanded by the shell. */
const strictPrograms = /^(?:rm|\[\[?|jq|find|[gmn]?awk|export|declare|typeset|local|readonly|unset)$/
const numericComparison = /^-(?:eq|ne|lt|le|gt|ge)$/

function isOpaque({ words, readsFrom, writesTo }: ShellCommand): boolean {
  const started = startedBy(words)
  const [name = '', ...rest] = started
  if (setsVariable(words) || [...words, ...readsFrom, ...writesTo].some(isOtherHome)) return true
  if (isFilledIn(name)) return !isAssignment(name)
  const isStrict =
    strictPrograms.test(name) || (name === 'test' && rest.some((word) => numericComparison.test(word)))
  const before = words.slice(0, words.length - started.length)
  return before.some(isFilledIn) || (isStrict && rest.some(isFilledIn))
}

const isOtherHome = (word: string): boolean => /^~[^/]/.test(word)

/**
 * Whether a word may set a variable, whatever it means to its own command. The client checks this only if it can parse
 * all words. In a pipeline it checks each segment separately and skips segments that are read-only.
 */
function mayChangeOthers({ commands, obstacle }: ShellLine): boolean {
  if (obstacle !== undefined && obstacle !== ownVariable) return false
  const isPiped =
    commands.some(({ segment }) => segment > 0) && !commands.some(({ writesTo }) => writesTo.length > 0)
  return commands.some(
    ({ words, segment }) =>
      setsAmongWords(plainlyStartedBy(words)) &&
      !(isPiped && commands.every((other) => other.segment !== segment || isReadOnlyCommand(other))),
  )
}

const isReadOnlyCommand = ({ words }: ShellCommand): boolean => isReadOnly(plainlyStartedBy(words))

/** In arguments of these, only an assignment at the start of the code matters. */
const codeRunners = /^(?:python3?|node|deno|bun|perl|ruby)$/
const ddOperands = /^(?:[io]f|[ioc]?bs|[io]flag|conv|count|seek|skip|status)=/

/** Whether a word may set a variable that changes what runs, whatever it means to the command itself. */
function setsAmongWords([name = '', ...rest]: readonly string[]): boolean {
  return rest.some((word) => {
    if (!word.includes('=') || word.startsWith('-') || isHarmlessVariable(word)) return false
    if (name === 'dd') return !ddOperands.test(word)
    return !codeRunners.test(name) || /^\s*\S+\s*=/.test(word)
  })
}
