/**
 * Finds private texts in other texts: compares only letters and digits, and checks the characters between them where
 * necessary.
 */

import { foldUnit, isBorder, ignored, separator } from './fold.ts'
import { minLineLength } from './lines.ts'

export interface ContextPattern {
  readonly text: string
  /**
   * `line`: with any wrapping, indentation and decoration. `name`: in any case, with its words joined in any way.
   * `exact`: in other spellings it would be ordinary text, so only verbatim or completely in upper or lower case.
   */
  readonly kind: 'line' | 'name' | 'exact'
  /** The agents that may see it. */
  readonly owners: ReadonlySet<string>
}

export interface ContextMatch {
  readonly start: number
  readonly end: number
  readonly owners: ReadonlySet<string>
}

export interface ContextMatcher {
  /** All matches at word boundaries, including overlapping ones. */
  find(text: string): ContextMatch[]
}

interface Compiled extends ContextPattern {
  /** By letter index: whether something may precede the letter. */
  readonly joints: readonly boolean[]
  /** Set if its letters alone are not distinctive: then the characters between them must match too. */
  readonly verbatim?: string
  /** Adjacent numbers are common, so the digits of one number must be close together. */
  readonly digits: boolean
}

/** The max distance between words: a line break, indentation, a comment marker. */
const maxGapBetween = { line: 64, name: 16, exact: 0 } as const
const betweenDigits = /^[ ()./+-]{1,3}$/
const minDistinctiveLetters = 8
/** Longer lines are matched in parts, to limit comparisons; a matching part is sufficient. */
const maxPartLength = 200
/** Lowercase matches require this length: shorter words are too often ordinary ones. */
const minLowercaseLength = 6

export function compileMatcher(patterns: Iterable<ContextPattern>): ContextMatcher {
  const edges = new Map<number, number>()
  const ends = new Map<number, Compiled[]>()
  /** By letter: excludes almost every position of a text. */
  const firstLetters = new Uint8Array(0x1_00_00)
  let nodes = 1
  for (const pattern of patterns) {
    for (const { letters, compiled } of compile(pattern)) {
      let node = 0
      firstLetters[letters[0]!] = 1
      for (const letter of letters) {
        const edge = edgeOf(node, letter)
        let next = edges.get(edge)
        if (next === undefined) {
          next = nodes++
          edges.set(edge, next)
        }
        node = next
      }
      const endingPatterns = ends.get(node) ?? []
      if (!endingPatterns.some((other) => isSame(other, compiled)))
        ends.set(node, [...endingPatterns, compiled])
    }
  }

  /** For each set of owners, only the widest matches are kept, and positions inside them are not compared again. */
  function matchesFrom(
    text: string,
    start: number,
    found: ContextMatch[],
    covered: Map<object, number>,
  ): void {
    let node = 0
    let between = 0
    for (let at = start; at < text.length; at++) {
      const letter = foldUnit(text.charCodeAt(at))
      if (letter === ignored) continue
      if (letter === separator) {
        if (++between > maxGapBetween.line) return
        continue
      }
      const next = edges.get(edgeOf(node, letter))
      if (next === undefined) return
      node = next
      between = 0
      const endingPatterns = ends.get(node)
      if (endingPatterns === undefined) continue
      let end = at + 1
      while (end < text.length && foldUnit(text.charCodeAt(end)) === ignored) end++
      if (end < text.length && !isBorder(text, end)) continue
      for (const pattern of endingPatterns) {
        const { owners } = pattern
        if ((covered.get(owners) ?? 0) >= end || !hasAllowedSpelling(pattern, text.slice(start, end)))
          continue
        covered.set(owners, end)
        found.push({ start, end, owners })
      }
    }
  }

  function findIn(text: string, found: ContextMatch[]): void {
    const covered = new Map<object, number>()
    for (let at = 0; at < text.length; at++) {
      const letter = foldUnit(text.charCodeAt(at))
      if (letter <= separator || firstLetters[letter] === 0) continue
      if (at === 0 || isBorder(text, at)) matchesFrom(text, at, found, covered)
    }
  }

  return {
    find(text) {
      const found: ContextMatch[] = []
      findIn(text, found)
      if (text.includes('\\')) findIn(text.replace(escapedBreak, '  '), found)
      return found
    },
  }
}

/** `\n` in text from JSON or code; every character keeps its position. */
const escapedBreak = /\\[nrtbfv]/g

function isSame(one: Compiled, other: Compiled): boolean {
  return one.text === other.text && one.kind === other.kind && one.owners === other.owners
}

const edgeOf = (node: number, letter: number): number => node * 0x1_00_00 + letter

function compile(pattern: ContextPattern): { letters: number[]; compiled: Compiled }[] {
  return partsOf(pattern).flatMap((text) => {
    const { letters, joints } = lettersOf(text)
    if (letters.length === 0) return []
    const compiled: Compiled = {
      ...pattern,
      text: text.normalize('NFC'),
      joints,
      digits: /^[^\p{L}]*$/u.test(text),
      ...(pattern.kind === 'line' &&
        letters.length < minDistinctiveLetters && { verbatim: normalizedSpaces(trimmed(text)) }),
    }
    return [{ letters, compiled }]
  })
}

/** Split at word ends if possible. */
function partsOf({ text, kind }: ContextPattern): string[] {
  if (kind !== 'line' || text.length <= maxPartLength) return [text]
  const parts: string[] = []
  let part = ''
  for (const [word] of text.matchAll(/(?<!\s)\s*\S+/g)) {
    if (part !== '' && part.length + word.length > maxPartLength) {
      parts.push(part)
      part = ''
    }
    part += word
  }
  // The remainder may not be distinctive by itself.
  if (part.trim().length >= minLineLength || parts.length === 0) parts.push(part)
  return parts
}

function lettersOf(text: string): { letters: number[]; joints: boolean[] } {
  const letters: number[] = []
  const joints: boolean[] = []
  let isApart = false
  for (let at = 0; at < text.length; at++) {
    const letter = foldUnit(text.charCodeAt(at))
    if (letter === separator) isApart = true
    if (letter <= separator) continue
    letters.push(letter)
    joints.push(isApart || (at > 0 && isBorder(text, at)))
    isApart = false
  }
  return { letters, joints }
}

/** Whether text with the same letters also has an allowed spelling. */
function hasAllowedSpelling({ text, kind, joints, verbatim, digits }: Compiled, found: string): boolean {
  if (verbatim !== undefined) return normalizedSpaces(found) === verbatim
  if (kind === 'exact') {
    const written = found.normalize('NFC')
    if (written === text || written === text.toUpperCase()) return true
    return text.length >= minLowercaseLength && written === text.toLowerCase()
  }
  let letter = 0
  let from = -1
  for (let at = 0; at < found.length; at++) {
    const unit = foldUnit(found.charCodeAt(at))
    if (unit === ignored) continue
    if (unit === separator) {
      if (from === -1) from = at
      continue
    }
    if (from !== -1) {
      const between = found.slice(from, at)
      if (!joints[letter] || between.length > maxGapBetween[kind]) return false
      if (digits && !betweenDigits.test(between)) return false
      from = -1
    }
    letter++
  }
  return true
}

function normalizedSpaces(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').toLowerCase()
}

/** From the first letter to the last, like a match. */
function trimmed(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}\p{M}])[^\p{L}\p{N}\p{M}]+$/gu, '')
}
