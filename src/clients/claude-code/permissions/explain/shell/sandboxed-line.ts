/** Which commands the client runs in its sandbox without a question, where its settings say so. Pure. */

import { excludedForms, matchesBashRule, plainlyStartedBy, setsVariable } from './bash-rule.ts'
import type { ShellLine } from '../../../../permissions/shell/shell-line.ts'
import { isFilledIn, type ShellCommand } from '../../../../permissions/shell/simple-command.ts'

/** `excluded`: patterns of commands that run outside. */
export function isFreeInSandbox(line: ShellLine, excluded: readonly string[]): boolean {
  return line.opaque === undefined && !line.commands.some(isOpaque) && !leavesSandbox(line, excluded)
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
const exacting = new Set(['rm', '[', '[[', 'jq', 'find'])

function isOpaque({ words }: ShellCommand): boolean {
  const started = plainlyStartedBy(words)
  if (setsVariable(words) || isFilledIn(started[0] ?? '')) return true
  return exacting.has(started[0] ?? '') && started.some(isFilledIn)
}
