/** Which commands the client runs in its sandbox without asking, where its settings say so. Pure. */

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

/** `excluded`: patterns of commands that run outside. */
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

/** Only a line that is excluded as a whole leaves the sandbox. */
export function leavesSandbox({ commands, isPlain }: ShellLine, excluded: readonly string[]): boolean {
  return isPlain && commands.length > 0 && commands.every((command) => isExcluded(command, excluded))
}

function isExcluded(
  { text, words, readsFrom, writesTo }: ShellCommand,
  excluded: readonly string[],
): boolean {
  if (words[0] === 'cd' || readsFrom.length > 0 || writesTo.length > 0) return false
  const forms = excludedForms(words)
  if (forms.some(hasProgramInWords)) return false
  return excluded.some((pattern) =>
    [text, ...forms.map((form) => form.join(' '))].some((form) => matchesBashRule(pattern, form)),
  )
}

/** What an interpreter is given on the command line or its input stays inside, whatever is excluded. */
const interpreters = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|bash|sh|zsh|dash)$/
const givenPrograms = /^(?:-[A-Za-z]*[ceEpr]|--(?:eval|print|require)|-|eval)$/

function hasProgramInWords([name = '', ...rest]: readonly string[]): boolean {
  if (/^(?:awk|gawk|mawk)$/.test(name)) return true
  if (!interpreters.test(name)) return false
  const file = rest.findIndex((word) => !word.startsWith('-') && word !== 'eval')
  return (
    rest.length === 0 ||
    rest.slice(0, file === -1 ? undefined : file).some((word) => givenPrograms.test(word))
  )
}

/** Where words that only the shell knows keep the client from telling what the command does. */
const exacting = /^(?:rm|\[\[?|jq|find|[gmn]?awk|export|declare|typeset|local|readonly|unset)$/
const counts = /^-(?:eq|ne|lt|le|gt|ge)$/

function isOpaque({ words, readsFrom, writesTo }: ShellCommand): boolean {
  const started = startedBy(words)
  const [name = '', ...rest] = started
  if (setsVariable(words) || [...words, ...readsFrom, ...writesTo].some(isOtherHome)) return true
  if (isFilledIn(name)) return !isAssignment(name)
  const isExacting = exacting.test(name) || (name === 'test' && rest.some((word) => counts.test(word)))
  const before = words.slice(0, words.length - started.length)
  return before.some(isFilledIn) || (isExacting && rest.some(isFilledIn))
}

const isOtherHome = (word: string): boolean => /^~[^/]/.test(word)

/**
 * Whether there is a word that may set a variable, whatever it is to its own command. The client looks for those only
 * where it can tell all the words; what stands between pipes it looks at by itself, and then what only looks is free.
 */
function mayChangeOthers({ commands, obstacle }: ShellLine): boolean {
  if (obstacle !== undefined && obstacle !== ownVariable) return false
  const isPiped =
    commands.some(({ segment }) => segment > 0) && !commands.some(({ writesTo }) => writesTo.length > 0)
  return commands.some(
    ({ words, segment }) =>
      setsAmongWords(plainlyStartedBy(words)) &&
      !(isPiped && commands.every((other) => other.segment !== segment || onlyLooks(other))),
  )
}

const onlyLooks = ({ words }: ShellCommand): boolean => isReadOnly(plainlyStartedBy(words))

/** Of a program in the words of these only how it begins counts. */
const programRunners = /^(?:python3?|node|deno|bun|perl|ruby)$/
const copied = /^(?:[io]f|[ioc]?bs|[io]flag|conv|count|seek|skip|status)=/

/** Whether a word may set a variable that changes what runs, whatever it is to the command itself. */
function setsAmongWords([name = '', ...rest]: readonly string[]): boolean {
  return rest.some((word) => {
    if (!word.includes('=') || word.startsWith('-') || isHarmlessVariable(word)) return false
    if (name === 'dd') return !copied.test(word)
    return !programRunners.test(name) || /^\s*\S+\s*=/.test(word)
  })
}
