/**
 * What can be said of all matches of a pattern before any text is seen, read off its compiled program: how long they can
 * be, and whether each of them holds a keyword. Both together say where in a text a match can be at all.
 */

import type { RE2JS } from 're2js'

/** Instructions of the engine's virtual machine, numbered as there. */
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

/** In UTF-16 units; Infinity where there is no longest. */
export function longestMatch({ inst, start }: PatternProgram): number {
  const longest = new Float64Array(inst.length).fill(-1)
  const isOpen = new Uint8Array(inst.length)
  const stack = [start]
  while (stack.length > 0) {
    const at = stack.at(-1)!
    const instruction = inst[at]!
    const next = successors(instruction)
    if (longest[at]! >= 0) {
      stack.pop()
    } else if (isOpen[at] === 0) {
      isOpen[at] = 1
      for (const successor of next) {
        // Still open means that the path has come back to where it was: a loop.
        if (isOpen[successor] === 1) return Infinity
        stack.push(successor)
      }
    } else {
      isOpen[at] = 2
      longest[at] = widthOf(instruction) + Math.max(0, ...next.map((successor) => longest[successor]!))
      stack.pop()
    }
  }
  return longest[start]!
}

/** Beyond this a proof costs more than it saves. */
const maxSteps = 200_000

/**
 * Whether each match holds one of the keywords (lower case, ASCII; letters in the text in either case). Walks through the
 * program and through the keywords at once, along every text the pattern accepts that has no keyword in it so far.
 * False where it cannot be shown. `ſ` and the Kelvin sign, which `(?i)` takes for s and k, count as these here: a text
 * that has them is the caller's business.
 */
export function everyMatchHolds({ inst, start }: PatternProgram, keywords: readonly string[]): boolean {
  if (keywords.length === 0) return false
  const letters = Array.from(new Set(keywords.join('')), (char) => ({ char, variants: variantsOf(char) }))
  const variantCount = letters.reduce((sum, { variants }) => sum + variants.length, 0)
  const next = followKeywords(keywords)
  const seen = new Set<string>()
  const pending: [at: number, begun: string][] = [[start, '']]
  let steps = 0
  const visit = (at: number, begun: string): void => {
    const id = `${at} ${begun}`
    if (seen.has(id)) return
    seen.add(id)
    pending.push([at, begun])
  }
  for (let step = pending.pop(); step !== undefined; step = pending.pop()) {
    const [at, begun] = step
    const instruction = inst[at]!
    steps += 1 + (instruction.op >= firstRune ? variantCount : 0)
    if (instruction.op === match || steps > maxSteps) return false
    if (instruction.op < firstRune) {
      for (const successor of successors(instruction)) visit(successor, begun)
      continue
    }
    let taken = 0
    for (const { char, variants } of letters) {
      const matching = variants.filter((variant) => takes(instruction, variant)).length
      taken += matching
      const after = matching === 0 ? undefined : next(begun, char)
      if (after !== undefined) visit(instruction.out, after)
    }
    if (takesMoreThan(instruction, taken)) visit(instruction.out, '')
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

function takes(instruction: Instruction, rune: number): boolean {
  if (instruction.op === anyRune) return true
  return instruction.op === anyRuneButLineFeed ? rune !== 10 : instruction.matchRune(rune)
}

/** Whether the instruction takes more characters than the `taken` ones that are letters of keywords. */
function takesMoreThan({ op, runes }: Instruction, taken: number): boolean {
  if (op === anyRune || op === anyRuneButLineFeed) return true
  // One character with its other cases: all of them are variants of one letter, or none is.
  if (runes.length === 1) return taken === 0
  let count = 0
  for (let range = 0; range < runes.length; range += 2) count += runes[range + 1]! - runes[range]! + 1
  return count > taken
}

/** Everything that `(?i)` takes for this character. */
function variantsOf(char: string): number[] {
  const others: Readonly<Record<string, string>> = { s: '\u017F', k: '\u212A' }
  return Array.from(new Set([char, char.toUpperCase(), others[char] ?? char]), (variant) =>
    variant.codePointAt(0)!,
  )
}

/**
 * Of a text only its longest end counts that some keyword begins with. Answers what it is after one more character;
 * undefined once a keyword is complete.
 */
function followKeywords(keywords: readonly string[]): (begun: string, char: string) => string | undefined {
  const known = new Map<string, string | undefined>()
  return (begun, char) => {
    const text = begun + char
    if (!known.has(text)) known.set(text, longestBeginning(text, keywords))
    return known.get(text)
  }
}

function longestBeginning(text: string, keywords: readonly string[]): string | undefined {
  if (keywords.some((keyword) => text.endsWith(keyword))) return undefined
  for (let from = 0; from < text.length; from++) {
    const end = text.slice(from)
    if (keywords.some((keyword) => keyword.startsWith(end))) return end
  }
  return ''
}
