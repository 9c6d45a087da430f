/**
 * Proves an upper bound on the paths a backtracking engine tries for a pattern at one position. Two parts can split a text
 * in several ways only if both accept the same characters; the quantifiers limit how often. The product is the bound.
 * Nested repeats that can exchange characters have none.
 */

import { allChars, type Chars, charsTakenBy } from './char-sets.ts'
import { type PatternNode, readPattern } from './pattern-tree.ts'

/**
 * An upper bound on the paths tried from one position, or Infinity. Most patterns are done when they match; a `bounded`
 * one continues until no letter, digit or `_` follows.
 */
export function waysToTry(source: string, bounded = false): number {
  return ways(readPattern(source), bounded ? allChars & ~charsTakenBy(String.raw`\w`, '') : 0n)
}
/** The first characters of texts that the node matches, plus those that may follow if it matches the empty text. */
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
      throw new Error('look-arounds are not supported')
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

/** Branches with disjoint first characters are mutually exclusive. */
function waysOfChoice(branches: readonly PatternNode[], follow: Chars): number {
  const firsts = branches.map((branch) => firstOf(branch, follow))
  const areDisjoint = firsts.every((first, i) =>
    firsts.every((other, j) => i === j || (first & other) === 0n),
  )
  const counts = branches.map((branch) => ways(branch, follow))
  return areDisjoint ? Math.max(...counts) : counts.reduce((sum, count) => sum + count, 0)
}

function waysOfRepeat({ part, least, most }: PatternNode & { kind: 'repeat' }, follow: Chars): number {
  const first = firstOf(part, 0n)
  const inside = ways(part, most > 1 ? first | follow : follow)
  if (inside > 1) return inside ** most
  if (least === most || (first & follow) === 0n) return 1
  return most - least + 1
}
