/**
 * One line of a `.gitignore`. Not translated into a regular expression: the file is untrusted, and `*a*a*a*a*b` must
 * not take longer than the product of both lengths.
 */

import { matchesWildcards } from '../text/wildcard.ts'

export interface IgnorePattern {
  /** `!`: includes again what earlier lines ignored. */
  readonly negated: boolean
  readonly foldersOnly: boolean
  /** The names on the path, relative to the folder of the ignore file. */
  matches(path: readonly string[]): boolean
}

/** Undefined for a blank line, a comment, and a pattern that can match nothing. */
export function readIgnorePattern(line: string): IgnorePattern | undefined {
  let source = withoutTrailingSpaces(line.replace(/\r$/, ''))
  if (source === '' || source.startsWith('#')) return undefined
  const negated = source.startsWith('!')
  if (negated) source = source.slice(1)
  const foldersOnly = source.endsWith('/')
  if (foldersOnly) source = source.slice(0, -1)
  const anchored = source.includes('/')
  const names = splitNames(source.replace(/^\//, ''))
  if (names.every((name) => name === '')) return undefined
  const steps = names.map((name): Step => (name === '**' ? anyFolders : readName(name)))
  // `a/**` matches everything below a, not a itself.
  if (steps.at(-1) === anyFolders) steps.push(readName('*'))
  if (!anchored) steps.unshift(anyFolders)
  return { negated, foldersOnly, matches: (path) => matchesSteps(path, steps) }
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ') end--
  // An escaped one is part of the pattern.
  return end < line.length && line[end - 1] === '\\' ? line.slice(0, end + 1) : line.slice(0, end)
}

/** Splits at each `/` outside sets. Empty if a set is never closed, because such a line matches nothing. */
function splitNames(source: string): string[] {
  const characters = Array.from(source)
  const names = ['']
  for (let at = 0; at < characters.length; at++) {
    const set = characters[at] === '[' ? readSet(characters, at + 1) : undefined
    if (characters[at] === '[' && set === undefined) return []
    const end = set?.end ?? (characters[at] === '\\' ? at + 1 : at)
    if (characters[at] === '/') names.push('')
    else names[names.length - 1] += characters.slice(at, end + 1).join('')
    at = end
  }
  return names
}

const anyFolders = '**'
type Step = typeof anyFolders | Name
/** In parts only if it is not plain text. */
type Name = { readonly plain: string } | readonly Part[]
/** A literal character, any run of characters, or a predicate for one. */
type Part = string | typeof anyRun | ((character: string) => boolean)
const anyRun = Symbol('*')
const anyOne = (): boolean => true

function readName(source: string): Name {
  const characters = Array.from(source)
  const parts: Part[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '*') {
      parts.push(anyRun)
    } else if (character === '?') {
      parts.push(anyOne)
    } else if (character === '\\' && at + 1 < characters.length) {
      parts.push(characters[++at]!)
    } else if (character === '[') {
      const set = readSet(characters, at + 1)
      parts.push(set?.has ?? character)
      at = set?.end ?? at
    } else parts.push(character)
  }
  return parts.every((part) => typeof part === 'string') ? { plain: parts.join('') } : parts
}

const classes: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
}

/** `[a-z]`, `[!a]`, `[[:digit:]]`; undefined if it is never closed, because then the line matches nothing. */
function readSet(
  characters: readonly string[],
  from: number,
): { readonly has: (character: string) => boolean; readonly end: number } | undefined {
  let at = from
  const inverted = characters[at] === '!' || characters[at] === '^'
  if (inverted) at++
  const tests: ((character: string) => boolean)[] = []
  for (let first = true; ; first = false, at++) {
    let low = characters[at]
    if (low === undefined) return undefined
    if (low === ']' && !first) break
    const named = /^\[:([a-z]{1,8}):\]/.exec(characters.slice(at, at + 12).join(''))
    if (named !== null) {
      const known = classes[named[1]!]
      tests.push((character) => known?.test(character) === true)
      at += named[0].length - 1
      continue
    }
    if (low === '\\') low = characters[++at]
    let high = low
    if (characters[at + 1] === '-' && characters[at + 2] !== undefined && characters[at + 2] !== ']') {
      at += 2
      high = characters[at] === '\\' ? characters[++at] : characters[at]
    }
    if (low === undefined || high === undefined) return undefined
    const [start, end] = [low, high]
    tests.push((character) => character >= start && character <= end)
  }
  return { has: (character) => tests.some((test) => test(character)) !== inverted, end: at }
}

function matchesSteps(path: readonly string[], steps: readonly Step[]): boolean {
  return matchesWildcards(steps, path, (step) => step === anyFolders, isNamed)
}

function isNamed(step: Step, name: string): boolean {
  if (typeof step === 'string') return false
  if ('plain' in step) return step.plain === name
  return matchesWildcards(step, Array.from(name), (part) => part === anyRun, matchesPart)
}

function matchesPart(part: Part, character: string): boolean {
  return typeof part === 'function' ? part(character) : part === character
}
