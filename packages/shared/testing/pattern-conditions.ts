/** Zero-width conditions on the characters around a place: anchors, word boundaries, look-arounds. */

import { allChars, type Chars, charsTakenBy } from './char-sets.ts'
import type { PatternNode } from './pattern-tree.ts'

/** One side of a place: the allowed characters, and whether it may be the edge of the text. */
export interface Side {
  readonly chars: Chars
  readonly none: boolean
}

export interface Condition {
  readonly behind: Side
  readonly ahead: Side
  /** Whether the condition depends on more than the two adjacent characters. */
  readonly further: boolean
}

const anything: Side = { chars: allChars, none: true }
const nothing: Side = { chars: 0n, none: true }
const lineEnds = charsTakenBy(String.raw`[\n\r\u2028\u2029]`, '')

const both = (one: Side, other: Side): Side => ({
  chars: one.chars & other.chars,
  none: one.none && other.none,
})
const either = (one: Side, other: Side): Side => ({
  chars: one.chars | other.chars,
  none: one.none || other.none,
})
const not = ({ chars, none }: Side): Side => ({ chars: allChars & ~chars, none: !none })

export const noCondition: Condition = { behind: anything, ahead: anything, further: false }

export function together(one: Condition, other: Condition): Condition {
  return {
    behind: both(one.behind, other.behind),
    ahead: both(one.ahead, other.ahead),
    further: one.further || other.further,
  }
}

/** The alternative conditions of an anchor or a look-around, exactly one of which must hold. */
export function conditionsOf(node: PatternNode & { kind: 'anchor' | 'look' }, flags: string): Condition[] {
  if (node.kind === 'look') {
    const side = sideOf(node.part, flags)
    const asked = side === null ? anything : node.negative ? not(side) : side
    const further = side === null
    return [
      node.back ? { behind: asked, ahead: anything, further } : { behind: anything, ahead: asked, further },
    ]
  }
  const edge = edgeOf(node.sign, flags)
  if (node.sign === '^') return [{ behind: edge, ahead: anything, further: false }]
  if (node.sign === '$') return [{ behind: anything, ahead: edge, further: false }]
  const word: Side = { chars: charsTakenBy(String.raw`\w`, flags), none: false }
  const change = node.sign === String.raw`\b`
  return [word, not(word)].map((behind) => ({
    behind,
    ahead: change ? not(behind) : behind,
    further: false,
  }))
}

function edgeOf(sign: string, flags: string): Side {
  return flags.includes('m') && /[$^]/.test(sign) ? { chars: lineEnds, none: true } : nothing
}

/** The condition on one side, if the look-around only depends on at most one character. */
function sideOf(node: PatternNode, flags: string): Side | null {
  switch (node.kind) {
    case 'chars':
      return { chars: node.chars, none: false }
    case 'anchor':
      return node.sign.startsWith('\\') ? null : edgeOf(node.sign, flags)
    case 'sequence':
      return node.parts.length === 1 ? sideOf(node.parts[0]!, flags) : null
    case 'choice':
      return node.branches
        .map((branch) => sideOf(branch, flags))
        .reduce((all, side) => (all === null || side === null ? null : either(all, side)))
    case 'look':
    case 'repeat':
      return null
  }
}
