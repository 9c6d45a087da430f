/**
 * What Claude Code cannot check in a command before it runs. It asks about such commands even if a rule allows them or
 * sandboxed commands run without asking. Pure.
 */

import { isFilledIn, type ShellCommand } from '../../../shell/simple-command.ts'
import { isLookup } from '../../../shell/hindrances.ts'
import { isAssignment, layersOf } from './bash-rule.ts'
import { unsafeFind } from './read-only-commands.ts'

/** A Map, not an object, because a program may be named `constructor`. */
function byName<T>(checks: Readonly<Record<string, T>>): ReadonlyMap<string, T> {
  return new Map(Object.entries(checks))
}

const names = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** Evaluate their arguments as code. */
const evaluators = names(
  'eval exec alias source . trap let mapfile readarray coproc hash enable bind complete nocorrect',
)
/** Start other programs in ways that the client does not analyze. */
const starters = names('chrt flock ionice ltrace nsenter script setsid strace taskset unshare watch')
/** Change the state of the shell, or use features internal to it. */
const shellChanges = names(
  'autoload disable emulate functions getln repeat setopt shopt strftime syserror sysopen sysread sysseek syswrite ' +
    'unsetopt vared zcompile zcurses zf_chgrp zf_chmod zf_chown zf_ln zf_mkdir zf_mv zf_rm zf_rmdir zformat zmodload ' +
    'zparseopts zpty zregexparse zselect zsocket zstat zstyle ztcp ztie',
)
/** Flags that declare variables other than plain strings. */
const nonStringFlags = /^[-+][a-zA-Z]*[aAEFilLnuRZ]/
/** Evaluate only some of their arguments as code or as targets to write to. */
const evaluatedArguments: ReadonlyMap<string, RegExp> = byName({
  compgen: /^-[CFW]/,
  fc: /^-[es]/,
  jobs: /^-x/,
  declare: nonStringFlags,
  typeset: nonStringFlags,
  local: nonStringFlags,
  export: /^-[^npfa]|^IFS=/,
  integer: /^[^-]/,
  float: /^[^-]/,
  read: /\[/,
  unset: /\[/,
  jq: /^(?:-[a-zA-Z]*[fL]|--(?:from-file|library-path|rawfile|slurpfile))|\b(?:include|import)\b/,
  printf: /^-v.*\[/,
})

type Check = (words: readonly string[], command: ShellCommand) => string | undefined

/** By program name, regardless of its folder. */
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
  printf: (words) => subscriptAfter(words, '-v'),
  wait: (words) => subscriptAfter(words, '-p'),
  test: unsafeTest,
  '[': unsafeTest,
  '[[': unsafeTest,
})

export function uncheckedCommand(command: ShellCommand): string | undefined {
  const { words, readsFrom, writesTo } = command
  if ([...readsFrom, ...writesTo].some((path) => /^\/dev\/(?:tcp|udp)\//.test(path)))
    return 'a network connection used as a file'
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
  if (called === '' || called.startsWith('-')) return 'an empty command name or a flag in its place'
  if (evaluators.has(called)) return `code in the arguments of \`${called}\``
  if (shellChanges.has(called)) return `what \`${called}\` changes in the shell`
  if (isUnclosedTest(words)) return 'a test that is not closed'
  const name = called.slice(called.lastIndexOf('/') + 1)
  if (starters.has(name)) return `what \`${name}\` starts`
  const pattern = evaluatedArguments.get(name)
  const evaluated = pattern && words.slice(1).find((word) => pattern.test(word))
  if (evaluated !== undefined) return `what \`${name}\` does with ${evaluated}`
  return programChecks.get(name)?.(words, command)
}

function unsafeAssignment(words: readonly string[]): string | undefined {
  const unsafe = words.find((word) => isLookup(/^\w+/.exec(word)![0]) || /^\w+\[/.test(word))
  return unsafe && `the variable in ${unsafe}`
}

/** The leading flags of a command. */
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
  if (flag !== undefined) return `what \`awk ${flag}\` loads`
  const program = words.slice(1).find((word) => startsInAwk.test(word))
  return program && 'what an `awk` program starts'
}
/** Pipes inside strings match too. */
const startsInAwk =
  /\bsystem\s*\(|(?<!\|)\|(?!\|)&?\s*(?:"|getline\b)|"[^"|]*\|[^"|]*"|@(?:load|include)\b|@[\w:]+\s*\(/

function subscriptAfter(words: readonly string[], flag: string): string | undefined {
  const at = words.indexOf(flag)
  return at !== -1 && words[at + 1]?.includes('[') ? `the subscript in ${words[at + 1]}` : undefined
}

/** Operands of numeric comparisons are evaluated as arithmetic. */
function unsafeTest(words: readonly string[]): string | undefined {
  const isNumber = (word = ''): boolean => isFilledIn(word) || /^-?\d+$/.test(word)
  const at = words.findIndex((word) => /^-(?:eq|ne|lt|le|gt|ge)$/.test(word))
  const unclear = at === -1 ? undefined : [words[at - 1], words[at + 1]].find((word) => !isNumber(word))
  return unclear === undefined ? subscriptAfter(words, '-v') : `what ${unclear} evaluates to`
}

function isUnclosedTest(words: readonly string[]): boolean {
  const [name, end] = [words[0]!, words.at(-1)]
  return name.startsWith('[') && !((name === '[' && end === ']') || (name === '[[' && end === ']]'))
}
