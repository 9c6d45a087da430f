/**
 * One line of a `.gitignore`. Matched step by step and never with a regular expression: the file is a stranger's, and
 * `*a*a*a*a*b` must not cost more than the name is long times the pattern.
 */

export interface IgnorePattern {
  /** `!`: what was left out before is taken in again. */
  readonly negated: boolean
  readonly foldersOnly: boolean
  /** The names from the folder of the file the line stands in down to what is asked about. */
  matches(path: readonly string[]): boolean
}

/** Undefined for a blank line, a comment, and what can match nothing. */
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
  // `a/**` is what lies below a, not a itself.
  if (steps.at(-1) === anyFolders) steps.push(readName('*'))
  if (!anchored) steps.unshift(anyFolders)
  return { negated, foldersOnly, matches: (path) => matchesSteps(path, steps) }
}

function withoutTrailingSpaces(line: string): string {
  let end = line.length
  while (end > 0 && line[end - 1] === ' ') end--
  // One that is escaped stays.
  return end < line.length && line[end - 1] === '\\' ? line.slice(0, end + 1) : line.slice(0, end)
}

/** At each `/` that is not one of the characters of a set. None where a set is never closed: that matches nothing. */
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
/** In parts only where not all of it is to be taken as it stands. */
type Name = { readonly plain: string } | readonly Part[]
/** A character as it stands, any number of any, one of any, or one of some. */
type Part = string | typeof anyRun | ((character: string) => boolean)
const anyRun = Symbol('*')
const anyOne = (): boolean => true

function readName(source: string): Name {
  const characters = Array.from(source)
  const parts: Part[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!
    if (character === '*') {
      if (parts.at(-1) !== anyRun) parts.push(anyRun)
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

/** `[a-z]`, `[!a]`, `[[:digit:]]`; undefined where it is never closed, and then the line matches nothing. */
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
    const [least, most] = [low, high]
    tests.push((character) => character >= least && character <= most)
  }
  return { has: (character) => tests.some((test) => test(character)) !== inverted, end: at }
}

function matchesSteps(path: readonly string[], steps: readonly Step[]): boolean {
  return matchesWithGaps(path, steps, (step) => step === anyFolders, isNamed)
}

function isNamed(name: string, step: Step): boolean {
  if (typeof step === 'string') return false
  if ('plain' in step) return step.plain === name
  return matchesWithGaps(Array.from(name), step, (part) => part === anyRun, fits)
}

function fits(character: string, part: Part): boolean {
  return typeof part === 'function' ? part(character) : part === character
}

/** Whether the items fit the pattern, where a gap stands for any number of them. Goes back to the last gap only. */
function matchesWithGaps<Item, Wanted>(
  items: readonly Item[],
  pattern: readonly Wanted[],
  isGap: (wanted: Wanted) => boolean,
  isFit: (item: Item, wanted: Wanted) => boolean,
): boolean {
  let item = 0
  let wanted = 0
  let gap = -1
  let resumeAt = 0
  while (item < items.length) {
    if (wanted < pattern.length && isGap(pattern[wanted]!)) {
      gap = wanted++
      resumeAt = item
    } else if (wanted < pattern.length && isFit(items[item]!, pattern[wanted]!)) {
      item++
      wanted++
    } else if (gap !== -1) {
      wanted = gap + 1
      item = ++resumeAt
    } else return false
  }
  while (wanted < pattern.length && isGap(pattern[wanted]!)) wanted++
  return wanted === pattern.length
}
