/**
 * Proves that a backtracking engine tries a pattern at one place in a bounded number of ways. Two parts of a pattern can
 * share a text in several ways only where what the first may take, the second may take as well; how often, its bounds
 * say. The product of these is the bound, and a pattern without one (a repeat inside a repeat that can trade characters)
 * has none.
 */

import { allChars, type Chars, charsTakenBy } from './char-sets.ts'
import { type PatternNode, readPattern } from './pattern-tree.ts'

/**
 * An upper bound of the ways in which the pattern can be tried from one place; Infinity where there is none. Most
 * patterns are done when they match; a `bounded` one goes on until no letter, digit or `_` follows.
 */
export function waysToTry(source: string, bounded = false): number {
  return ways(readPattern(source), bounded ? allChars & ~charsTakenBy(String.raw`\w`, '') : 0n)
}
/** The characters a text of the node may begin with; all that may follow as well where it may be empty. */
function firstOf(node: PatternNode, follow: Chars): Chars {
  switch (node.kind) {
    case 'chars':
      return node.chars
    case 'anchor':
    case 'look':
      return follow
    case 'sequence':
      return node.parts.reduceRight((after, part) => firstOf(part, after), follow)
    case 'choice':
      return node.branches.reduce((all, branch) => all | firstOf(branch, follow), 0n)
    case 'repeat':
      return firstOf(node.part, follow) | (node.least === 0 ? follow : 0n)
  }
}

function ways(node: PatternNode, follow: Chars): number {
  switch (node.kind) {
    case 'chars':
    case 'anchor':
      return 1
    case 'look':
      throw new Error('the ways of a look-around are not counted')
    case 'sequence': {
      let product = 1
      let after = follow
      for (const part of node.parts.toReversed()) {
        product *= ways(part, after)
        after = firstOf(part, after)
      }
      return product
    }
    case 'choice':
      return waysOfChoice(node.branches, follow)
    case 'repeat':
      return waysOfRepeat(node, follow)
  }
}

/** Branches that begin differently exclude each other. */
function waysOfChoice(branches: readonly PatternNode[], follow: Chars): number {
  const firsts = branches.map((branch) => firstOf(branch, follow))
  const apart = firsts.every((first, i) => firsts.every((other, j) => i === j || (first & other) === 0n))
  const counts = branches.map((branch) => ways(branch, follow))
  return apart ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0)
}

function waysOfRepeat({ part, least, most }: PatternNode & { kind: 'repeat' }, follow: Chars): number {
  const first = firstOf(part, 0n)
  const inside = ways(part, most > 1 ? first | follow : follow)
  if (inside > 1) return inside ** most
  if (least === most || (first & follow) === 0n) return 1
  return most - least + 1
}
