/** Whether a Bash rule matches a command: exactly, by prefix (`git:*`), or with wildcards. */

import { matchesStars } from '@contextd/shared/text/wildcard'
import type { ShellCommand } from '../../../shell/shell-line.ts'

/** Matches one form of a simple command; see `allowForms` and `denyForms` for the forms. */
export function matchesBashRule(content: string, command: string): boolean {
  if (content.endsWith(':*')) return hasPrefix(command, content.slice(0, -2))
  if (!content.includes('*')) return command === content
  // `npm run *` also matches `npm run`.
  if (content.indexOf('*') === content.length - 1 && content.endsWith(' *'))
    return hasPrefix(command, content.slice(0, -2))
  return matchesStars(content, command)
}

function hasPrefix(command: string, prefix: string): boolean {
  return prefix !== '' && (command === prefix || command.startsWith(`${prefix} `))
}

/** Variables that do not change what runs; the client ignores them even when matching allow rules. */
const harmlessVariables =
  /^(?:(?:LANG|LC_ALL|LC_CTYPE)=[A-Za-z]|(?:NODE_ENV|LANGUAGE|LC_TIME|CHARSET|TZ|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CLICOLOR|COLUMNS|LINES|CI|LS_COLORS|GREP_COLORS?|GCC_COLORS|TIME_STYLE|BLOCK_?SIZE|PYTHONUNBUFFERED|PYTHONDONTWRITEBYTECODE|PYTEST_DEBUG|PYTEST_DISABLE_PLUGIN_AUTOLOAD|RUST_LOG|RUST_BACKTRACE|GOOS|GOARCH|GOEXPERIMENT|CGO_ENABLED|GO111MODULE|ANTHROPIC_API_KEY)=)[\w./:-]*$/
export const isAssignment = (word: string): boolean => /^[A-Za-z_]\w*(?:\[\w+\])?\+?=/.test(word)
export const isHarmlessVariable = (word: string): boolean => harmlessVariables.test(word)

/**
 * Programs that start another command, with the flags that take a value, the number of words before the command, and
 * whether the client gives up at a long flag.
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
const denyWrappers: typeof wrappers = new Map([
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

const only = (all: typeof wrappers, names: RegExp): typeof wrappers =>
  new Map([...all].filter(([name]) => names.test(name)))
/** Wrappers that the client unwraps to detect read-only commands, and to determine the files a command uses. */
const readOnlyWrappers = only(wrappers, /^(?:timeout|command|builtin)$/)
const fileWrappers = only(denyWrappers, /^(?:timeout|nice|stdbuf|nohup|time|command|builtin|noglob|env)$/)

/** The words of the innermost command. */
export function startedBy(words: readonly string[]): readonly string[] {
  if (words.length > 1 && isAssignment(words[0]!)) return startedBy(words.slice(1))
  const inner = words.length === 0 ? undefined : unwrapped(words, fileWrappers)
  return inner === undefined ? words : startedBy(inner)
}

const checkedWrappers: typeof wrappers = new Map([...fileWrappers, ...only(denyWrappers, /^xargs$/)])

/** A command and each command it wraps, outermost first. Wrappers are recognized regardless of their folder. */
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

/** Like `startedBy`, but unwraps only as far as the client does to detect read-only commands. */
export function plainlyStartedBy(words: readonly string[]): readonly string[] {
  if (words.length > 1 && harmlessVariables.test(words[0]!)) return plainlyStartedBy(words.slice(1))
  const inner = words.length === 0 ? undefined : unwrapped(words, readOnlyWrappers)
  return inner === undefined ? words : plainlyStartedBy(inner)
}

/** Whether a rule's content matches the command. Created once per command, since there are many rules. */
type CommandMatcher = (content: string) => boolean

/** For allow rules. */
export function allowMatcher(command: ShellCommand): CommandMatcher {
  return matcherOf(allowForms(command, true), allowForms(command, false))
}

/** For deny and ask rules. */
export function denyMatcher(command: ShellCommand): CommandMatcher {
  return matcherOf(denyForms(command, true), denyForms(command, false))
}

function matcherOf(exact: readonly string[], others: readonly string[]): CommandMatcher {
  return (content) => (content.includes('*') ? others : exact).some((form) => matchesBashRule(content, form))
}

/** The forms of a command that an allow rule can match. */
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

/** Ignores quotes in the program name, unless they contain whitespace, and a tab after it. */
function withPlainName({ text, words }: ShellCommand): string {
  if (/\s/.test(words[0] ?? '')) return text
  const rest = /^(?:'[^']*'|"[^"]*"|\\.|[^\s'"\\])+/.exec(text)?.[0].length ?? 0
  return `${words[0] ?? ''}${text.slice(rest).replace(/^\t/, ' ')}`
}

/** The forms that a deny or ask rule can match: also without more wrappers, any variable, quotes or a folder. */
export function denyForms(command: ShellCommand, isExact: boolean): readonly string[] {
  const forms = [command.text]
  let words = command.words
  for (;;) {
    if (words.length === 0) return forms
    forms.push(words.join(' '))
    const name = words[0]!.slice(words[0]!.lastIndexOf('/') + 1)
    forms.push([name, ...words.slice(1)].join(' '))
    // `xargs` appends further words, so an exact match is impossible.
    if (isExact && name === 'xargs') return forms
    if (isAssignment(words[0]!)) words = words.slice(1)
    else {
      const inner = unwrapped([name, ...words.slice(1)], denyWrappers)
      if (inner === undefined) return forms
      words = inner
    }
  }
}

/** Wrappers that the client unwraps to match `excludedCommands`. */
const excludedWrappers: typeof wrappers = new Map(
  [...denyWrappers].filter(([name]) => /^(?:timeout|nice|nohup|time|env)$/.test(name)),
)

/** The forms of a command that `excludedCommands` can match, shortest last. */
export function excludedForms(words: readonly string[]): readonly string[][] {
  const inner =
    words.length > 1 && harmlessVariables.test(words[0]!)
      ? words.slice(1)
      : words.length === 0
        ? undefined
        : unwrapped(words, excludedWrappers)
  return [[...words], ...(inner === undefined ? [] : excludedForms(inner))]
}

/** Whether a command begins with an assignment that may change what runs. */
export function setsVariable(words: readonly string[]): boolean {
  const [first = '', ...rest] = words
  if (first === 'env') return rest.some((word) => isAssignment(word))
  if (rest.length === 0 || !isAssignment(first)) return false
  return !harmlessVariables.test(first) || setsVariable(rest)
}

function unwrapped(words: readonly string[], known: typeof wrappers): string[] | undefined {
  const wrapper = known.get(words[0]!)
  if (wrapper === undefined) return undefined
  // `command -v` only looks up a command; `xargs` with flags is not unwrapped by the client.
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
