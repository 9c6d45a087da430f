/**
 * The automaton that a backtracking engine walks for a pattern. A state is the atom that matched the last character. Each
 * path of the engine over the next character is an edge of its own.
 */

import { allChars, type Chars, charsTakenBy } from './char-sets.ts'
import { type Condition, conditionsOf, noCondition, together } from './pattern-conditions.ts'
import { type PatternNode, readPattern } from './pattern-tree.ts'

export interface Automaton {
  /** The next states by state and letter; a state reached on two paths is listed twice. */
  readonly next: readonly (readonly (readonly number[])[])[]
  readonly letters: number
  /** Restart states: the state after each skipped character, with the number of that letter. */
  readonly waiting: ReadonlyMap<number, number>
  /** States in which the pattern has matched, whatever follows. */
  readonly accepting: ReadonlySet<number>
}

type Place =
  | { readonly kind: 'taker'; readonly chars: Chars; readonly after: number }
  | { readonly kind: 'fork'; readonly to: { readonly place: number; readonly condition: Condition }[] }

/** A path without consuming input from a place to a consuming one, or to the end. */
interface Way {
  readonly to: number
  readonly condition: Condition
}

/** Limit for unrolling long repeats: enough to detect characters they can exchange with neighbors. */
const maxUnrolled = 64
const done = 0

/** A bounded repeat with a maximum of `endlessFrom` or more is treated as unbounded. */
export function automatonOf(source: string, flags: string, endlessFrom = Infinity): Automaton {
  const places: Place[] = [{ kind: 'fork', to: [] }]
  const add = (place: Place): number => places.push(place) - 1
  const fork = (...to: number[]): number =>
    add({ kind: 'fork', to: to.map((place) => ({ place, condition: noCondition })) })

  const build = (node: PatternNode, then: number): number => {
    switch (node.kind) {
      case 'chars':
        return add({ kind: 'taker', chars: node.chars, after: then })
      case 'anchor':
      case 'look': {
        const on = conditionsOf(node, flags).map((condition) => ({ place: then, condition }))
        if (node.kind === 'anchor') return add({ kind: 'fork', to: on })
        if (node.back && isEndless(node.part)) throw new Error(`an endless look-behind in ${source}`)
        const inside = node.back ? [] : [{ place: build(node.part, fork()), condition: noCondition }]
        return add({ kind: 'fork', to: [...inside, ...on] })
      }
      case 'sequence':
        return node.parts.reduceRight((after, part) => build(part, after), then)
      case 'choice':
        return fork(...node.branches.map((branch) => build(branch, then)))
      case 'repeat':
        return buildRepeat(node, then)
    }
  }

  const buildRepeat = ({ part, least, most }: PatternNode & { kind: 'repeat' }, then: number): number => {
    const copies = Math.max(4, Math.floor(maxUnrolled / sizeOf(part)))
    let entry = then
    if (most === Infinity || most >= endlessFrom) {
      const loop = { kind: 'fork' as const, to: [{ place: then, condition: noCondition }] }
      entry = add(loop)
      loop.to.push({ place: build(part, entry), condition: noCondition })
    } else {
      for (let i = Math.min(most - least, copies); i > 0; i--) entry = fork(then, build(part, entry))
    }
    for (let i = Math.min(least, copies); i > 0; i--) entry = build(part, entry)
    return entry
  }

  const first = build(readPattern(source, flags), done)
  return withoutForks(places, first, lettersOf(places, flags), !flags.includes('y'))
}

function sizeOf(node: PatternNode): number {
  switch (node.kind) {
    case 'sequence':
      return node.parts.reduce((sum, part) => sum + sizeOf(part), 0)
    case 'choice':
      return node.branches.reduce((sum, branch) => sum + sizeOf(branch), 0)
    case 'repeat':
      return sizeOf(node.part) * Math.min(Math.max(1, node.least, node.most === Infinity ? 1 : node.most), 64)
    case 'look':
      return sizeOf(node.part)
    case 'chars':
    case 'anchor':
      return 1
  }
}

function isEndless(node: PatternNode): boolean {
  switch (node.kind) {
    case 'sequence':
      return node.parts.some(isEndless)
    case 'choice':
      return node.branches.some(isEndless)
    case 'repeat':
      return node.most === Infinity || isEndless(node.part)
    case 'look':
      return isEndless(node.part)
    case 'chars':
    case 'anchor':
      return false
  }
}

function withoutForks(
  places: readonly Place[],
  first: number,
  letters: readonly Chars[],
  restarts: boolean,
): Automaton {
  const next: number[][][] = []
  const waiting = new Map<number, number>()
  const accepting = new Set<number>()
  const numbers = new Map<string, number>()
  const open: { readonly place: number; readonly ways: readonly Way[]; readonly letter: number }[] = []
  const waysOf = new Map<number, readonly Way[]>()

  const stateOf = (place: number, letter: number): number => {
    const taker = places[place]!
    const from = place === done ? first : taker.kind === 'taker' ? taker.after : place
    if (!waysOf.has(from)) waysOf.set(from, waysFrom(places, from))
    const ways = waysOf.get(from)!
    // The last character matters only if a condition refers to it.
    const asked = ways.some(({ condition }) => condition.behind.chars !== allChars || !condition.behind.none)
    const key = `${place} ${asked || place === done ? letter : 0}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, numbers.size)
    if (place === done && letter >= 0) waiting.set(numbers.size - 1, letter)
    open.push({ place, ways, letter })
    return numbers.size - 1
  }

  // `done` represents the start here: before the text (no letter), or after a skipped character.
  stateOf(done, -1)
  for (let state = 0; state < open.length; state++) {
    const { place, ways, letter } = open[state]!
    const last = letters[letter]
    const possible = ways.filter(({ condition: { behind } }) =>
      last === undefined ? behind.none : (behind.chars & last) !== 0n,
    )
    const byLetter = letters.map((chars, i) => {
      const taken = possible.flatMap(({ to, condition }) => {
        const target = places[to]!
        return target.kind === 'taker' && (target.chars & condition.ahead.chars & chars) !== 0n
          ? [stateOf(to, i)]
          : []
      })
      return place === done && restarts ? [stateOf(done, i), ...taken] : taken
    })
    next.push(byLetter)
    if (hasMatched(place, possible, places, letters)) accepting.add(state)
  }
  return { next, letters: letters.length, waiting, accepting }
}

/** Whether, for any next character or none, the end is reached or the same place can repeat. */
function hasMatched(
  place: number,
  ways: readonly Way[],
  places: readonly Place[],
  letters: readonly Chars[],
): boolean {
  const ends = ways.filter(({ to, condition }) => to === done && !condition.further)
  const again = ways.filter(
    ({ to, condition }) =>
      to === place && place !== done && !condition.further && condition.behind.chars === allChars,
  )
  const taker = places[place]!
  return (
    ends.some(({ condition }) => condition.ahead.none) &&
    letters.every(
      (letter) =>
        ends.some(({ condition }) => (condition.ahead.chars & letter) !== 0n) ||
        (taker.kind === 'taker' &&
          again.some(({ condition }) => (condition.ahead.chars & taker.chars & letter) !== 0n)),
    )
  )
}

/** All paths without a repeated fork, since an engine does not repeat an empty match. */
function waysFrom(places: readonly Place[], from: number): Way[] {
  const found: Way[] = []
  const passed = new Set<number>()
  const visit = (to: number, condition: Condition): void => {
    const place = places[to]!
    if (to === done || place.kind === 'taker') {
      found.push({ to, condition })
      return
    }
    if (passed.has(to)) return
    passed.add(to)
    for (const step of place.to) visit(step.place, together(condition, step.condition))
    passed.delete(to)
  }
  visit(from, noCondition)
  return found
}

/** The coarsest partition of all characters compatible with every set of the pattern. */
function lettersOf(places: readonly Place[], flags: string): Chars[] {
  const sets = places.flatMap((place) =>
    place.kind === 'taker'
      ? [place.chars]
      : place.to.flatMap(({ condition }) => [condition.behind.chars, condition.ahead.chars]),
  )
  let letters = [charsTakenBy('[^]', flags)]
  for (const set of new Set(sets)) {
    letters = letters.flatMap((letter) => [letter & set, letter & ~set]).filter((letter) => letter !== 0n)
  }
  return letters
}
