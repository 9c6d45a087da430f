/**
 * Patterns of user rules. They are written for Go's regular expressions and mean the same here; the engine takes time
 * linear in the text, for any pattern.
 */

import { MatcherInput, RE2JS } from 're2js'

import { everyMatchContains, maxMatchLength, programOf } from './pattern-program.ts'
import { explainRefusal, type PatternRefusal } from './pattern-refusal.ts'

/** Offsets count UTF-16 units. */
export interface MatchRange {
  readonly start: number
  readonly end: number
}

export interface PatternMatch extends MatchRange {
  /** In order of the groups. Groups that did not participate are at -1. */
  readonly groups: readonly MatchRange[]
}

/** Called regularly during a search, which ends if this throws. */
export type CheckTime = () => void

export interface Re2Pattern {
  readonly source: string
  readonly groupCount: number
  /** Maximum length of a match; Infinity if there is no maximum. */
  maxLength(): number
  /** Whether each match contains one of these keywords; see `everyMatchContains`. */
  alwaysContains(keywords: readonly string[]): boolean
  /** Whether the pattern matches anywhere. Much faster than finding where. */
  test(text: string, checkTime?: CheckTime): boolean
  /** Without overlaps, from left to right. An empty match directly after another match is skipped. */
  matches(text: string, checkTime?: CheckTime): Iterable<PatternMatch>
}

export class PatternError extends Error {
  /** The reason, without the position. */
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

/** Throws PatternError if RE2 rejects the pattern. */
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
    maxLength: () => maxMatchLength(programOf(compiled)),
    alwaysContains: (keywords) => everyMatchContains(programOf(compiled), keywords),
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
    // Without offsets, the engine uses an automaton, about twenty times faster than finding a position.
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

/** A character is one or two units; a lone surrogate counts as a character. */
function widthAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
}

const readsBetweenChecks = 4096

/**
 * The engine reads the text unit by unit, so a string that checks the clock when read makes every search interruptible.
 */
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
