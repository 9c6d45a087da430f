/** What keeps Claude Code from checking a command, found in its text and in single words. Pure. */

import { isFilledIn } from './simple-command.ts'

export interface Hindrances {
  /** What the client cannot check before it runs. */
  readonly obstacle?: string
  /** What the client cannot check even if all that matters is the sandbox in which it runs. */
  readonly opaque?: string
}

/** The obstacle of a variable whose value the client knows. */
export const ownVariable = 'a variable that it sets by itself'

/** The client does not check longer commands. */
const maxLength = 10_000
/** Letters to a shell. */
const otherBlanks = /[\u00A0\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u3000\uFEFF]/

const inText: readonly (readonly [RegExp, string])[] = [
  [otherBlanks, 'a blank that is none to the shell'],
  // At the end of a line it is accepted after a blank.
  [/\\[ \t]|[^\s\\]\\\n/, 'a backslash before a blank'],
  [/(?:&&|\|\|)\s*$/, 'a command without its end'],
  [/^\s*[&|;]/, 'a command without its beginning'],
  // The client searches quotes and here-documents too.
  [/(?:^|[\s;|&(])=[A-Za-z_]/, 'the place of a program'],
  [/\/proc\/.*\/environ/, 'the variables of a program'],
]

export function hindrancesInText(text: string): Hindrances {
  const found =
    text.length > maxLength ? 'a command of this length' : inText.find(([sign]) => sign.test(text))?.[1]
  return found === undefined ? {} : { obstacle: found, opaque: found }
}

/** A word, with quotes resolved and as written, and the words before it. */
export function hindrancesInWord(word: string, raw: string, before: readonly string[]): Hindrances {
  const [name = ''] = before
  const both = (what: string): Hindrances => ({ obstacle: what, opaque: what })
  if (raw === '=' && name !== '' && !name.startsWith('[') && !isFilledIn(before.at(-1)!))
    return both('an equals sign in place of a word')
  if (/^\w+=/.test(raw) && hasBraces.test(unescaped(raw)) && !/['"]/.test(raw))
    return both('braces in what a variable is set to')
  if (name === 'for' && before.length === 1 && isLookup(word)) return both(`the variable ${word}`)
  if (name === 'for' && hasBraces.test(unescaped(raw))) return both('braces in what is gone through')
  if (!isOneQuote.test(raw) && hasBraces.test(unescaped(raw)))
    return { obstacle: 'braces that the shell fills in' }
  if (/^['"]|=['"]/.test(raw) && !raw.includes('$(cat <<') && /\n[^\S\n]*#/.test(word))
    return { obstacle: 'a `#` at the start of a quoted line' }
  if (!isTildeValue.test(raw)) return {}
  const home = 'a home in what a variable is set to'
  if (name === 'export' || (before.length === 0 && /=["']/.test(raw))) return both(home)
  return before.length === 0 ? { obstacle: home } : {}
}

/** Variables with which the shell finds commands or splits words. */
export const isLookup = (name: string): boolean =>
  /^(?:(?:CD|F)?PATH|IFS|ENV|BASH_ENV|HOME|SHELL|TMPDIR|ZDOTDIR|(?:LD|DYLD)_\w+)$/.test(name)

/** Only from the first brace of a line: a search from each of thousands would take quadratic time. */
const hasBraces = /(?<![^\n])[^\n{]*\{[^\n]*(?:,|\.\.)/
const isOneQuote = /^(?:'[^']*'|"[^"]*")$/
const isTildeValue = /^\w+=(?:.*:)?["']?~/
const unescaped = (raw: string): string => raw.replaceAll(/\\./gs, '')
