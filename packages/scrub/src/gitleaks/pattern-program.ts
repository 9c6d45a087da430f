/**
 * Analyses the compiled program of a pattern: how long its matches can be, and whether each of them contains a keyword.
 * Together they tell where in a text a match is possible.
 */

import type { RE2JS } from 're2js'

/** Opcodes of the engine's virtual machine. */
const alternative = 1
const alternativeMatch = 2
const fail = 5
const match = 6
const firstRune = 8
const anyRune = 10
const anyRuneButLineFeed = 11

interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  /** One code point, or first and last of each range. */
  readonly runes: ArrayLike<number>
  matchRune(rune: number): boolean
}

export interface PatternProgram {
  readonly inst: readonly Instruction[]
  readonly start: number
}

export function programOf(compiled: RE2JS): PatternProgram {
  return compiled.re2().prog as PatternProgram
}

/** In UTF-16 units; Infinity if matches have no maximum length. */
export function maxMatchLength({ inst, start }: PatternProgram): number {
  const maxLengths = new Float64Array(inst.length).fill(-1)
  const isOpen = new Uint8Array(inst.length)
  const stack = [start]
  while (stack.length > 0) {
    const at = stack.at(-1)!
    const instruction = inst[at]!
    const next = successors(instruction)
    if (maxLengths[at]! >= 0) {
      stack.pop()
    } else if (isOpen[at] === 0) {
      isOpen[at] = 1
      for (const successor of next) {
        // A successor that is still open closes a loop.
        if (isOpen[successor] === 1) return Infinity
        stack.push(successor)
      }
    } else {
      isOpen[at] = 2
      maxLengths[at] = widthOf(instruction) + Math.max(0, ...next.map((successor) => maxLengths[successor]!))
      stack.pop()
    }
  }
  return maxLengths[start]!
}

/** Beyond this, a proof costs more than it saves. */
const maxSteps = 200_000

/**
 * Whether each match contains one of the keywords (lower case, ASCII; the text may be in either case). Walks the
 * program and the keyword prefixes together, along every accepted text that contains no keyword so far. False if this
 * cannot be proved. `ſ` and the Kelvin sign, which `(?i)` matches as s and k, count as those letters here; the caller
 * handles texts that contain them.
 */
export function everyMatchContains({ inst, start }: PatternProgram, keywords: readonly string[]): boolean {
  if (keywords.length === 0) return false
  const letters = Array.from(new Set(keywords.join('')), (char) => ({ char, variants: variantsOf(char) }))
  const variantCount = letters.reduce((sum, { variants }) => sum + variants.length, 0)
  const next = followKeywords(keywords)
  const seen = new Set<string>()
  const pending: [at: number, prefix: string][] = [[start, '']]
  let steps = 0
  const visit = (at: number, prefix: string): void => {
    const id = `${at} ${prefix}`
    if (seen.has(id)) return
    seen.add(id)
    pending.push([at, prefix])
  }
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const [at, prefix] = step
    const instruction = inst[at]!
    steps += 1 + (instruction.op >= firstRune ? variantCount : 0)
    if (instruction.op === match || steps > maxSteps) return false
    if (instruction.op < firstRune) {
      for (const successor of successors(instruction)) visit(successor, prefix)
      continue
    }
    let matched = 0
    for (const { char, variants } of letters) {
      const matching = variants.filter((variant) => matches(instruction, variant)).length
      matched += matching
      const after = matching === 0 ? undefined : next(prefix, char)
      if (after !== undefined) visit(instruction.out, after)
    }
    if (matchesMoreThan(instruction, matched)) visit(instruction.out, '')
  }
  return true
}

function successors({ op, out, arg }: Instruction): number[] {
  if (op === match || op === fail) return []
  return op === alternative || op === alternativeMatch ? [out, arg] : [out]
}

function widthOf({ op, runes }: Instruction): number {
  if (op < firstRune) return 0
  if (op === anyRune || op === anyRuneButLineFeed) return 2
  return (runes[runes.length - 1] ?? 0) > 0xffff ? 2 : 1
}

function matches(instruction: Instruction, rune: number): boolean {
  if (instruction.op === anyRune) return true
  return instruction.op === anyRuneButLineFeed ? rune !== 10 : instruction.matchRune(rune)
}

/** Whether the instruction matches other characters than the `matched` ones, which are letters of keywords. */
function matchesMoreThan({ op, runes }: Instruction, matched: number): boolean {
  if (op === anyRune || op === anyRuneButLineFeed) return true
  // One character in all its cases: all of them are variants of one letter, or none is.
  if (runes.length === 1) return matched === 0
  let count = 0
  for (let range = 0; range < runes.length; range += 2) count += runes[range + 1]! - runes[range]! + 1
  return count > matched
}

/** All characters that `(?i)` matches as this one. */
function variantsOf(char: string): number[] {
  const others: Readonly<Record<string, string>> = { s: '\u017F', k: '\u212A' }
  return Array.from(new Set([char, char.toUpperCase(), others[char] ?? char]), (variant) =>
    variant.codePointAt(0)!,
  )
}

/**
 * Of the text so far, only the longest suffix that starts a keyword matters. Returns that suffix after one more
 * character, or undefined once a keyword is complete.
 */
function followKeywords(keywords: readonly string[]): (prefix: string, char: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (prefix, char) => {
    const text = prefix + char
    if (!known.has(text)) known.set(text, keywordPrefixAtEnd(text, keywords))
    return known.get(text)
  }
}

function keywordPrefixAtEnd(text: string, keywords: readonly string[]): string | undefined {
  if (keywords.some((keyword) => text.endsWith(keyword))) return undefined
  for (let from = 0; from < text.length; from++) {
    const suffix = text.slice(from)
    if (keywords.some((keyword) => keyword.startsWith(suffix))) return suffix
  }
  return ''
}
