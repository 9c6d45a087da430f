/** What keeps Claude Code from telling what a command does, as it shows in the text and in single words. Pure. */

import { isFilledIn } from './simple-command.ts'

export interface Hindrances {
  /** What the client cannot check before it runs. */
  readonly obstacle?: string
  /** What the client cannot check even where all that matters is in which sandbox it runs. */
  readonly opaque?: string
}

/** The obstacle where the client sees all the same what it stands for. */
export const ownVariable = 'a variable that it sets by itself'

/** Longer commands the client does not check. */
const longest = 10_000
/** To a shell these are letters. */
const otherBlanks = /[\u00A0\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u3000\uFEFF]/

const inText: readonly (readonly [RegExp, string])[] = [
  [otherBlanks, 'a blank that is none to the shell'],
  // At the end of a line it is in order where a blank stands before it.
  [/\\[ \t]|[^\s\\]\\\n/, 'a backslash before a blank'],
  [/(?:&&|\|\|)\s*$/, 'a command without its end'],
  [/^\s*[&|;]/, 'a command without its beginning'],
  // Quotes and documents make no difference to the client.
  [/(?:^|[\s;|&(])=[A-Za-z_]/, 'the place of a program'],
  [/\/proc\/.*\/environ/, 'the variables of a program'],
]

export function hindrancesInText(text: string): Hindrances {
  const found =
    text.length > longest ? 'a command of this length' : inText.find(([sign]) => sign.test(text))?.[1]
  return found === undefined ? {} : { obstacle: found, opaque: found }
}

/** A word, as it is meant and as it is written, behind others. */
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

/** What the shell looks commands up with, or takes words apart with. */
export const isLookup = (name: string): boolean =>
  /^(?:(?:CD|F)?PATH|IFS|ENV|BASH_ENV|HOME|SHELL|TMPDIR|ZDOTDIR|(?:LD|DYLD)_\w+)$/.test(name)

/** From the first of a line: looked for from each of thousands, the rest of the line would be read as often. */
const hasBraces = /(?<![^\n])[^\n{]*\{[^\n]*(?:,|\.\.)/
const isOneQuote = /^(?:'[^']*'|"[^"]*")$/
const isTildeValue = /^\w+=(?:.*:)?["']?~/
const unescaped = (raw: string): string => raw.replaceAll(/\\./gs, '')
