/**
 * What Claude Code cannot check in one command before it runs: it asks, whatever rule allows the command, and also where
 * commands run in its sandbox without asking. Pure.
 */

import { isFilledIn, type ShellCommand } from '../../../shell/simple-command.ts'
import { isLookup } from '../../../shell/hindrances.ts'
import { isAssignment, layersOf } from './bash-rule.ts'
import { unsafeFind } from './read-only-commands.ts'

/** No plain object: a program may be called `constructor`. */
function byName<T>(checks: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(checks))
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Take their words for programs. */
const evaluators = names(
  'eval exec alias source . trap let mapfile readarray coproc hash enable bind complete nocorrect',
)
/** Start others in ways that the client does not follow. */
const starters = names('chrt flock ionice ltrace nsenter script setsid strace taskset unshare watch')
/** Change how the shell goes on, or reach what only the shell does. */
const shellChanges = names(
  'autoload disable emulate functions getln repeat setopt shopt strftime syserror sysopen sysread sysseek syswrite ' +
    'unsetopt vared zcompile zcurses zf_chgrp zf_chmod zf_chown zf_ln zf_mkdir zf_mv zf_rm zf_rmdir zformat zmodload ' +
    'zparseopts zpty zregexparse zselect zsocket zstat zstyle ztcp ztie',
)
/** Flags with which a variable is more than text. */
const otherKinds = /^[-+][a-zA-Z]*[aAEFilLnuRZ]/
/** What take only some of their words for programs, or for places to write to. */
const evaluatingWords: ReadonlyMap<string, RegExp> = byName({
  compgen: /^-[CFW]/,
  fc: /^-[es]/,
  jobs: /^-x/,
  declare: otherKinds,
  typeset: otherKinds,
  local: otherKinds,
  export: /^-[^npfa]|^IFS=/,
  integer: /^[^-]/,
  float: /^[^-]/,
  read: /\[/,
  unset: /\[/,
  jq: /^(?:-[a-zA-Z]*[fL]|--(?:from-file|library-path|rawfile|slurpfile))|\b(?:include|import)\b/,
  printf: /^-v.*\[/,
})

type Check = (words: readonly string[], command: ShellCommand) => string | undefined

/** By the name of a program, in whichever folder it stands. */
const programChecks: ReadonlyMap<string, Check> = byName({
  awk: unsafeAwk,
  gawk: unsafeAwk,
  mawk: unsafeAwk,
  nawk: unsafeAwk,
  env: (words) => {
    const flag = flagsOf(words, /^-u$/).find((word) => !/^-[iuv0]$/.test(word))
    return flag && `what \`env ${flag}\` starts`
  },
  find: (words, { patterns }) => {
    const unsafe = unsafeFind(words) ?? patterns[0]
    return unsafe && `what \`find\` does with ${unsafe}`
  },
  xargs: ([, started = '']) =>
    /^(?:find|jq)$/.test(started) ? `what \`xargs\` adds to \`${started}\`` : undefined,
  printf: (words) => subscriptBehind(words, '-v'),
  wait: (words) => subscriptBehind(words, '-p'),
  test: unsafeTest,
  '[': unsafeTest,
  '[[': unsafeTest,
})

export function uncheckedCommand(command: ShellCommand): string | undefined {
  const { words, readsFrom, writesTo } = command
  if ([...readsFrom, ...writesTo].some((path) => /^\/dev\/(?:tcp|udp)\//.test(path)))
    return 'a connection in place of a file'
  if (words.length > 0 && words.every(isAssignment)) return unsafeAssignment(words)
  for (const layer of layersOf(words)) {
    const unchecked = uncheckedLayer(layer, command)
    if (unchecked !== undefined) return unchecked
  }
  return undefined
}

function uncheckedLayer(words: readonly string[], command: ShellCommand): string | undefined {
  const [called] = words
  if (called === undefined) return undefined
  if (called === '' || called.startsWith('-')) return 'what stands in place of a command'
  if (evaluators.has(called)) return `a program in the words of \`${called}\``
  if (shellChanges.has(called)) return `what \`${called}\` changes in the shell`
  if (isUnclosedTest(words)) return 'a test without its end'
  const name = called.slice(called.lastIndexOf('/') + 1)
  if (starters.has(name)) return `what \`${name}\` starts`
  const evaluating = evaluatingWords.get(name)
  const evaluated = evaluating && words.slice(1).find((word) => evaluating.test(word))
  if (evaluated !== undefined) return `what \`${name}\` does with ${evaluated}`
  return programChecks.get(name)?.(words, command)
}

function unsafeAssignment(words: readonly string[]): string | undefined {
  const unsafe = words.find((word) => isLookup(/^\w+/.exec(word)![0]) || /^\w+\[/.test(word))
  return unsafe && `the variable in ${unsafe}`
}

/** The words of a program that come first and are flags. */
function flagsOf(words: readonly string[], withValue: RegExp): string[] {
  const flags: string[] = []
  for (let at = 1; words[at]?.startsWith('-'); at += withValue.test(words[at]!) ? 2 : 1)
    flags.push(words[at]!)
  return flags
}

function unsafeAwk(words: readonly string[]): string | undefined {
  const end = words.indexOf('--')
  const flags = words.slice(1, end === -1 ? undefined : end)
  const flag = flags.find((word) => /^(?:-[^-Fve]*[filEDW]|--(?:file|include|load|exec|debug))/.test(word))
  if (flag !== undefined) return `what \`awk ${flag}\` brings`
  const program = words.slice(1).find((word) => startsInAwk.test(word))
  return program && 'what an `awk` program starts'
}
/** Pipes count also inside of a text. */
const startsInAwk =
  /\bsystem\s*\(|(?<!\|)\|(?!\|)&?\s*(?:"|getline\b)|"[^"|]*\|[^"|]*"|@(?:load|include)\b|@[\w:]+\s*\(/

function subscriptBehind(words: readonly string[], flag: string): string | undefined {
  const at = words.indexOf(flag)
  return at !== -1 && words[at + 1]?.includes('[') ? `what stands in ${words[at + 1]}` : undefined
}

/** What is compared as numbers is worked out first. */
function unsafeTest(words: readonly string[]): string | undefined {
  const isNumber = (word = ''): boolean => isFilledIn(word) || /^-?\d+$/.test(word)
  const at = words.findIndex((word) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(word))
  const unclear = at === -1 ? undefined : [words[at - 1], words[at + 1]].find((word) => !isNumber(word))
  return unclear === undefined ? subscriptBehind(words, '-v') : `what ${unclear} is worked out to`
}

function isUnclosedTest(words: readonly string[]): boolean {
  const [name, end] = [words[0]!, words.at(-1)]
  return name.startsWith('[') && !((name === '[' && end === ']') || (name === '[[' && end === ']]'))
}
