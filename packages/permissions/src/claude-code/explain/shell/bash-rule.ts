/** Whether a rule for Bash means a command: exactly, by how it begins (`git:*`), or with wildcards. */

import { matchesStars } from '@contextd/shared/text/wildcard'
import type { ShellCommand } from '../../../shell/shell-line.ts'

/** One simple command; see `allowForms` and `denyForms` for the ways it may be looked at. */
export function matchesBashRule(content: string, command: string): boolean {
  if (content.endsWith(':*')) return beginsWith(command, content.slice(0, -2))
  if (!content.includes('*')) return command === content
  // `npm run *` means `npm run` too.
  if (content.indexOf('*') === content.length - 1 && content.endsWith(' *'))
    return beginsWith(command, content.slice(0, -2))
  return matchesStars(content, command)
}

function beginsWith(command: string, start: string): boolean {
  return start !== '' && (command === start || command.startsWith(`${start} `))
}

/** Variables that change nothing of what runs; the client looks past them also where a rule allows. */
const harmlessVariables =
  /^(?:(?:LANG|LC_ALL|LC_CTYPE)=[A-Za-z]|(?:NODE_ENV|LANGUAGE|LC_TIME|CHARSET|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|LS_COLORS|GREP_COLORS?|GCC_COLORS|TIME_STYLE|BLOCK_?SIZE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTEST_DEBUG|PYTEST_DISABLE_PLUGIN_AUTOLOAD|RUST_LOG|RUST_BACKTRACE|GOOS|GOARCH|GOEXPERIMENT|CGO_ENABLED|GO111MODULE|ANTHROPIC_API_KEY)=)[\w./:-]*$/
export const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*(?:\[\w+\])?\+?=/.test(word)
export const isHarmlessVariable = (word: string): boolean => harmlessVariables.test(word)

/**
 * What starts another command; the flags that take a word of their own, how many words come before the command, and
 * whether the client gives up where a flag is written out.
 */
const wrappers: ReadonlyMap<
  string,
  { readonly flags: RegExp; readonly words: number; readonly isShort?: true }
> = new Map([
  ['timeout', { flags: /^-[ks]$/, words: 1 }],
  ['nice', { flags: /^-n$/, words: 0, isShort: true }],
  ['stdbuf', { flags: /^$/, words: 0 }],
  ['nohup', { flags: /^$/, words: 0 }],
  ['time', { flags: /^$/, words: 0 }],
  ['command', { flags: /^$/, words: 0 }],
  ['builtin', { flags: /^$/, words: 0 }],
  ['noglob', { flags: /^$/, words: 0 }],
])
const widerWrappers: typeof wrappers = new Map([
  ...wrappers,
  ['env', { flags: /^-[uC]$/, words: 0 }],
  ['sudo', { flags: /^-[ugpCDRTh]$/, words: 0 }],
  ['doas', { flags: /^-[uC]$/, words: 0 }],
  ['exec', { flags: /^-a$/, words: 0 }],
  ['setsid', { flags: /^$/, words: 0 }],
  ['ionice', { flags: /^-[cn]$/, words: 0 }],
  ['flock', { flags: /^$/, words: 1 }],
  ['watch', { flags: /^$/, words: 0 }],
  ['strace', { flags: /^$/, words: 0 }],
  ['script', { flags: /^$/, words: 0 }],
  ['xargs', { flags: /^$/, words: 0 }],
])

const some = (all: typeof wrappers, names: RegExp): typeof wrappers =>
  new Map([...all].filter(([name]) => names.test(name)))
/** What the client looks through where a command only looks, and where it is asked which files a command uses. */
const fewWrappers = some(wrappers, /^(?:timeout|command|builtin)$/)
const fileWrappers = some(widerWrappers, /^(?:timeout|nice|stdbuf|nohup|time|command|builtin|noglob|env)$/)

/** The words of what is started in the end. */
export function startedBy(words: readonly string[]): readonly string[] {
  if (words.length > 1 && isAssignment(words[0]!)) return startedBy(words.slice(1))
  const inner = words.length === 0 ? undefined : unwrapped(words, fileWrappers)
  return inner === undefined ? words : startedBy(inner)
}

const checkedWrappers: typeof wrappers = new Map([...fileWrappers, ...some(widerWrappers, /^xargs$/)])

/** A command, what it starts, what that starts, and so on; programs that start others in whichever folder they stand. */
export function layersOf(words: readonly string[]): readonly (readonly string[])[] {
  const layers: (readonly string[])[] = []
  let inner: readonly string[] | undefined = words
  while (inner !== undefined && inner.length > 0) {
    const first: string = inner[0]!
    if (isAssignment(first)) inner = inner.slice(1)
    else {
      layers.push(inner)
      inner = unwrapped([first.slice(first.lastIndexOf('/') + 1), ...inner.slice(1)], checkedWrappers)
    }
  }
  return layers
}

/** The same, but not further than the client goes where it runs a command by itself. */
export function plainlyStartedBy(words: readonly string[]): readonly string[] {
  if (words.length > 1 && harmlessVariables.test(words[0]!)) return plainlyStartedBy(words.slice(1))
  const inner = words.length === 0 ? undefined : unwrapped(words, fewWrappers)
  return inner === undefined ? words : plainlyStartedBy(inner)
}

/** Whether what a rule has in its parentheses means the command. Many rules are asked about few commands. */
type CommandMatcher = (content: string) => boolean

/** In a rule that allows. */
export function allowMatcher(command: ShellCommand): CommandMatcher {
  return matcherOf(allowForms(command, true), allowForms(command, false))
}

/** In a rule that forbids or asks. */
export function denyMatcher(command: ShellCommand): CommandMatcher {
  return matcherOf(denyForms(command, true), denyForms(command, false))
}

function matcherOf(exact: readonly string[], others: readonly string[]): CommandMatcher {
  return (content) => (content.includes('*') ? others : exact).some((form) => matchesBashRule(content, form))
}

/** How a command may be written in a rule that allows it. */
export function allowForms(command: ShellCommand, isExact: boolean): readonly string[] {
  const plain = withPlainName(command)
  const forms = plain === command.text ? [plain] : [command.text, plain]
  let words = command.text.split(' ')
  for (;;) {
    if (harmlessVariables.test(words[0]!)) words = words.slice(1)
    else if (!isExact && words[0] === 'xargs' && !words[1]?.startsWith('-')) words = words.slice(1)
    else {
      const inner = words[0] === 'time' && words[1]?.startsWith('-') ? undefined : unwrapped(words, wrappers)
      if (inner === undefined) return forms
      words = inner
    }
    if (words.length === 0) return forms
    forms.push(words.join(' '))
  }
}

/** Quotes in the name of the program do not count unless they hold a blank, and neither does a tab behind it. */
function withPlainName({ text, words }: ShellCommand): string {
  if (/\s/.test(words[0] ?? '')) return text
  const rest = /^(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/.exec(text)?.[0].length ?? 0
  return `${words[0] ?? ''}${text.slice(rest).replace(/^\t/, ' ')}`
}

/** How it may be written in one that forbids it or asks: also behind more wrappers, any variable, quotes, a folder. */
export function denyForms(command: ShellCommand, isExact: boolean): readonly string[] {
  const forms = [command.text]
  let words = command.words
  for (;;) {
    if (words.length === 0) return forms
    forms.push(words.join(' '))
    const name = words[0]!.slice(words[0]!.lastIndexOf('/') + 1)
    forms.push([name, ...words.slice(1)].join(' '))
    // What `xargs` starts has more words than are written.
    if (isExact && name === 'xargs') return forms
    if (isAssignment(words[0]!)) words = words.slice(1)
    else {
      const inner = unwrapped([name, ...words.slice(1)], widerWrappers)
      if (inner === undefined) return forms
      words = inner
    }
  }
}

/** What the client looks through where a command is to run outside of its sandbox. */
const leavingWrappers: typeof wrappers = new Map(
  [...widerWrappers].filter(([name]) => /^(?:timeout|nice|nohup|time|env)$/.test(name)),
)

/** How a command may be written in `excludedCommands`, shortest last. */
export function excludedForms(words: readonly string[]): readonly string[][] {
  const inner =
    words.length > 1 && harmlessVariables.test(words[0]!)
      ? words.slice(1)
      : words.length === 0
        ? undefined
        : unwrapped(words, leavingWrappers)
  return [[...words], ...(inner === undefined ? [] : excludedForms(inner))]
}

/** Whether a command begins with a variable that may change what runs. */
export function setsVariable(words: readonly string[]): boolean {
  const [first = '', ...rest] = words
  if (first === 'env') return rest.some((word) => isAssignment(word))
  if (rest.length === 0 || !isAssignment(first)) return false
  return !harmlessVariables.test(first) || setsVariable(rest)
}

function unwrapped(words: readonly string[], known: typeof wrappers): string[] | undefined {
  const wrapper = known.get(words[0]!)
  if (wrapper === undefined) return undefined
  // `command -v` looks and starts nothing; for `xargs` with flags the client does not look further.
  if (/^(?:command -[vV]|builtin -|xargs -)/.test(`${words[0]} ${words[1]}`)) return undefined
  let at = 1
  for (; words[at]?.startsWith('-'); at += wrapper.flags.test(words[at]!) ? 2 : 1) {
    if (wrapper.isShort && words[at]!.startsWith('--')) return undefined
    const split = /^--split-string=(.*)$/s.exec(words[at]!)
    if (split !== null) return [split[1]!, ...words.slice(at + 1)]
  }
  at += wrapper.words
  const inner = words.slice(at)
  return inner.length === 0 ? undefined : inner
}
