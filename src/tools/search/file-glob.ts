/**
 * The globs of searches: like a line of a `.gitignore`, with `{a,b}`. Without a `/` they match names in any folder; `!`
 * in front inverts them.
 */

import { readIgnorePattern } from '@contextd/shared/files/ignore-pattern'

export interface FileGlob {
  /** `name`: relative to the folder that is searched. */
  matches(name: string): boolean
  /** A glob for the last part of the name, which everything it matches has; undefined if that says nothing. */
  readonly namePattern?: string
}

const maxAlternatives = 100

/** Undefined if it is not a valid glob, leads out of the folder, or has too many alternatives. */
export function readFileGlob(source: string): FileGlob | undefined {
  const negated = source.startsWith('!')
  const alternatives = expandBraces(negated ? source.slice(1) : source)
  // A name in the folder itself.
  const anchored = alternatives?.map((each) => (each.startsWith('./') ? each.slice(1) : each))
  if (anchored?.some((each) => each.split('/').includes('..')) !== false) return undefined
  const patterns = anchored.map((each) => readIgnorePattern(each.replace(/^(?=[#!])/, '\\')))
  if (patterns.includes(undefined)) return undefined
  const matches = (name: string): boolean => {
    const path = name.split('/')
    return patterns.some((pattern) => pattern?.foldersOnly === false && pattern.matches(path)) !== negated
  }
  const last = source.slice(source.lastIndexOf('/') + 1)
  return isPlainName(last) && !negated ? { matches, namePattern: last } : { matches }
}

/** What every engine reads the same way: no sets, escapes, nested braces or empty alternatives. */
function isPlainName(last: string): boolean {
  return /^[\w.*-]+(?:\{[\w.*-]+(?:,[\w.*-]+)*\})?$/.test(last) && !/^\*+$/.test(last)
}

/** `a.{b,c}` is `a.b` and `a.c`; undefined if a brace is not closed. */
function expandBraces(source: string): string[] | undefined {
  let done = ['']
  for (let at = 0; at < source.length; at++) {
    const end = source[at] === '{' ? closingBrace(source, at) : at
    if (end === undefined) return undefined
    const escaped = source[at] === '\\'
    const parts =
      source[at] === '{'
        ? splitAlternatives(source.slice(at + 1, end)).map(expandBraces)
        : [[source.slice(at, at + (escaped ? 2 : 1))]]
    if (parts.includes(undefined)) return undefined
    const each = parts.flat() as string[]
    done = done.flatMap((start) => each.map((part) => start + part))
    if (done.length > maxAlternatives) return undefined
    at = escaped ? at + 1 : end
  }
  return done
}

function closingBrace(source: string, start: number): number | undefined {
  let depth = 0
  for (let at = start; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === '{') depth++
    else if (source[at] === '}' && --depth === 0) return at
  }
  return undefined
}

/** At commas outside inner braces. */
function splitAlternatives(source: string): string[] {
  const parts = ['']
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const character = source[at]!
    if (character === '{') depth++
    if (character === '}') depth--
    if (character === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += character === '\\' ? character + (source[++at] ?? '') : character
  }
  return parts
}
