/** Finds private texts in others: only letters and digits are compared, and what stands between them where it may. */

import { foldUnit, isBorder, nothing, separator } from './fold.ts'
import { minLineLength } from './lines.ts'

export interface ContextPattern {
  readonly text: string
  /**
   * `line`: however it is wrapped, indented and decorated. `name`: in any case, its words joined in any way. `exact`:
   * written in another way it would be ordinary text, so only as it is, or all of it in capitals or small letters.
   */
  readonly kind: 'line' | 'name' | 'exact'
  /** The agents that may have it. */
  readonly owners: ReadonlySet<string>
}

export interface ContextMatch {
  readonly start: number
  readonly end: number
  readonly owners: ReadonlySet<string>
}

export interface ContextMatcher {
  /** Everything at the borders of words, overlaps included. */
  find(text: string): ContextMatch[]
}

interface Compiled extends ContextPattern {
  /** By number of the letter: whether something may stand before it. */
  readonly joints: readonly boolean[]
  /** Too little to be told from other texts by its letters alone: what stands between them must be the same. */
  readonly verbatim?: string
  /** Numbers beside each other are common; those of one number stand close. */
  readonly digits: boolean
}

/** How far apart the words of one may stand: a line break, an indent, the sign of a comment. */
const maxGapBetween = { line: 64, name: 16, exact: 0 } as const
const betweenDigits = /^[ ()./+-]{1,3}$/
const fewLetters = 8
/** A longer line is looked for in parts, so that comparing has an end, and a part of it is enough. */
const maxPartLength = 200
/** In small letters only from this length on: shorter ones are too often words of the language. */
const longWord = 6

export function compileMatcher(patterns: Iterable<ContextPattern>): ContextMatcher {
  const edges = new Map<number, number>()
  const ends = new Map<number, Compiled[]>()
  /** By letter: nearly every place of a text is done with after this. */
  const begins = new Uint8Array(0x1_00_00)
  let nodes = 1
  for (const pattern of patterns) {
    for (const { letters, compiled } of compile(pattern)) {
      let node = 0
      begins[letters[0]!] = 1
      for (const letter of letters) {
        const edge = edgeOf(node, letter)
        let next = edges.get(edge)
        if (next === undefined) {
          next = nodes++
          edges.set(edge, next)
        }
        node = next
      }
      const ending = ends.get(node) ?? []
      if (!ending.some((other) => isSame(other, compiled))) ends.set(node, [...ending, compiled])
    }
  }

  /** Of one set of owners only the widest are kept, and what lies in one of them is not compared again. */
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
      if (letter === nothing) continue
      if (letter === separator) {
        if (++between > maxGapBetween.line) return
        continue
      }
      const next = edges.get(edgeOf(node, letter))
      if (next === undefined) return
      node = next
      between = 0
      const ending = ends.get(node)
      if (ending === undefined) continue
      let end = at + 1
      while (end < text.length && foldUnit(text.charCodeAt(end)) === nothing) end++
      if (end < text.length && !isBorder(text, end)) continue
      for (const pattern of ending) {
        const { owners } = pattern
        if ((covered.get(owners) ?? 0) >= end || !isMeant(pattern, text.slice(start, end))) continue
        covered.set(owners, end)
        found.push({ start, end, owners })
      }
    }
  }

  function findIn(text: string, found: ContextMatch[]): void {
    const covered = new Map<object, number>()
    for (let at = 0; at < text.length; at++) {
      const letter = foldUnit(text.charCodeAt(at))
      if (letter <= separator || begins[letter] === 0) continue
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

/** `\n` in a text that was written as JSON or code; every character stays where it was. */
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
      ...(pattern.kind === 'line' && letters.length < fewLetters && { verbatim: spaced(bare(text)) }),
    }
    return [{ letters, compiled }]
  })
}

/** At the ends of words, where it can be. */
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
  // What is left at the end may say too little by itself.
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

/** The letters are the same; is it also written as it may be? */
function isMeant({ text, kind, joints, verbatim, digits }: Compiled, found: string): boolean {
  if (verbatim !== undefined) return spaced(found) === verbatim
  if (kind === 'exact') {
    const written = found.normalize('NFC')
    if (written === text || written === text.toUpperCase()) return true
    return text.length >= longWord && written === text.toLowerCase()
  }
  let letter = 0
  let from = -1
  for (let at = 0; at < found.length; at++) {
    const unit = foldUnit(found.charCodeAt(at))
    if (unit === nothing) continue
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

function spaced(text: string): string {
  return text.normalize('NFC').replace(/\s+/gu, ' ').toLowerCase()
}

/** From the first letter to the last, as it is found. */
function bare(text: string): string {
  return text.replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}\p{M}])[^\p{L}\p{N}\p{M}]+$/gu, '')
}
