/**
 * Patterns of people's own rules. They are written for Go's regular expressions and mean here what they mean there;
 * the engine takes time linear in the text, whatever the pattern.
 */

import { MatcherInput, RE2JS } from 're2js'

import { everyMatchHolds, longestMatch, programOf } from './pattern-program.ts'
import { explainRefusal, type PatternRefusal } from './pattern-refusal.ts'

/** Offsets are UTF-16 units. */
export interface MatchRange {
  readonly start: number
  readonly end: number
}

export interface PatternMatch extends MatchRange {
  /** The first group first. A group that took no part is at -1. */
  readonly groups: readonly MatchRange[]
}

/** Called now and then while a search runs. What it throws ends the search. */
export type CheckTime = () => void

export interface Re2Pattern {
  readonly source: string
  readonly groupCount: number
  /** The length no match exceeds; Infinity where there is none. */
  longest(): number
  /** Whether each match holds one of these keywords, as `everyMatchHolds` says. */
  alwaysHolds(keywords: readonly string[]): boolean
  /** Whether the pattern occurs anywhere in the text. Much faster than asking where. */
  test(text: string, checkTime?: CheckTime): boolean
  /** Without overlaps, from left to right. An empty match right behind another match does not count. */
  matches(text: string, checkTime?: CheckTime): Iterable<PatternMatch>
}

export class PatternError extends Error {
  /** In plain words, without the position. */
  readonly reason: string
  /** Offset in the pattern. */
  readonly position: number

  constructor({ reason, position }: PatternRefusal, options: { cause: unknown }) {
    super(`${reason}, at character ${position + 1}`, options)
    this.name = 'PatternError'
    this.reason = reason
    this.position = position
  }
}

/** Throws PatternError for what RE2 refuses. */
export function compilePattern(source: string): Re2Pattern {
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(source)
  } catch (error) {
    throw new PatternError(explainRefusal(source, error), { cause: error })
  }
  const groupCount = compiled.groupCount()
  return {
    source,
    groupCount,
    longest: () => longestMatch(programOf(compiled)),
    alwaysHolds: (keywords) => everyMatchHolds(programOf(compiled), keywords),
    test: (text, checkTime) => compiled.test(timed(text, checkTime)),
    matches: (text, checkTime) => findAll(compiled, groupCount, text, checkTime),
  }
}

function* findAll(
  compiled: RE2JS,
  groupCount: number,
  text: string,
  checkTime?: CheckTime,
): Generator<PatternMatch> {
  const input = MatcherInput.utf16(timed(text, checkTime))
  const matcher = compiled.matcher(input)
  let from = 0
  let previousEnd = -1
  while (from <= text.length) {
    checkTime?.()
    // Asked for no offsets the engine answers from an automaton, some twenty times faster than it finds a place.
    const [occurs] = compiled.re2().matchWithGroup(input, from, text.length, 0, 0) as [boolean]
    if (!occurs || !matcher.find(from)) return
    const start = matcher.start()
    const end = matcher.end()
    const isRepeated = start === end && start === previousEnd
    from = end === from ? end + widthAt(text, end) : end
    previousEnd = end
    if (isRepeated) continue
    const groups: MatchRange[] = []
    for (let group = 1; group <= groupCount; group++) {
      groups.push({ start: matcher.start(group), end: matcher.end(group) })
    }
    yield { start, end, groups }
  }
}

/** A character is one or two units; a half without its other half is one by itself. */
function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

const readsBetweenChecks = 4096

/** The engine reads a text unit by unit; a text that looks at the clock as it is read makes every search stoppable. */
class TimedText extends String {
  readonly #text: string
  readonly #checkTime: CheckTime
  #reads = 0

  constructor(text: string, checkTime: CheckTime) {
    super(text)
    this.#text = text
    this.#checkTime = checkTime
  }

  override charCodeAt(index: number): number {
    if (++this.#reads === readsBetweenChecks) {
      this.#reads = 0
      this.#checkTime()
    }
    return this.#text.charCodeAt(index)
  }
}

function timed(text: string, checkTime: CheckTime | undefined): string {
  return checkTime === undefined ? text : (new TimedText(text, checkTime) as unknown as string)
}
