/**
 * How the run time of a backtracking engine grows with the length of a text, by the structure of the automaton (Weber and
 * Seidl, "On the degree of ambiguity of finite automata"): exponentially if a state can return to itself over the same
 * text on two paths; otherwise polynomially, with one degree for each pair of consecutive loops that can share a text.
 * Restarting at every character is such a loop too.
 *
 * A state in which the pattern has matched stops this: the engine never backtracks past it.
 */

import { type Automaton, automatonOf } from './pattern-automaton.ts'
import { strongParts } from './strong-parts.ts'

/** The degree of the run time: 1 is linear, 2 quadratic, Infinity exponential. */
export function growthOf(source: string, flags = '', endlessFrom = Infinity): number {
  const automaton = automatonOf(source, flags, endlessFrom)
  const graph = automaton.next.map((byLetter) => [...new Set(byLetter.flat())])
  const loops = strongParts(graph.map((targets, state) => (automaton.accepting.has(state) ? [] : targets)))
    .filter((part) => part.length > 1 || graph[part[0]!]!.includes(part[0]!))
    .filter((part) => part.every((state) => !automaton.accepting.has(state) && !automaton.waiting.has(state)))
    // Components are found in reverse; restore text order.
    .toReversed()
  if (loops.some((loop) => isDoubled(automaton, loop))) return Infinity

  const degrees: number[] = []
  for (const [i, loop] of loops.entries()) {
    const shared = loops
      .slice(0, i)
      .map((before, j) =>
        reachable(graph, before[0]!).has(loop[0]!)
          ? degrees[j]! + (share(automaton, before, loop) ? 1 : 0)
          : 0,
      )
    degrees.push(Math.max(sharesWithStart(automaton, loop) ? 1 : 0, ...shared))
  }
  return 1 + Math.max(0, ...degrees)
}

/** Whether two different paths lead from a state of the loop back to it over the same text. */
function isDoubled({ next, letters }: Automaton, loop: readonly number[]): boolean {
  const inside = new Set(loop)
  const size = next.length
  const pairs = new Map<number, number[]>()
  const open = loop.map((state) => state * size + state)
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    if (pairs.has(pair)) continue
    const [a, b] = [Math.floor(pair / size), pair % size]
    const targets: number[] = []
    for (let letter = 0; letter < letters; letter++) {
      const [as, bs] = [next[a]![letter]!, next[b]![letter]!].map((all) => all.filter((to) => inside.has(to)))
      if (a === b && new Set(as).size < as!.length) return true
      for (const x of as!) for (const y of bs!) targets.push(x * size + y)
    }
    pairs.set(pair, targets)
    open.push(...targets)
  }
  const numbers = new Map([...pairs.keys()].map((pair, i) => [pair, i]))
  const keys = [...pairs.keys()]
  const graph = keys.map((pair) => [...new Set(pairs.get(pair))].map((to) => numbers.get(to)!))
  const isDiagonal = (i: number): boolean => Math.floor(keys[i]! / size) === keys[i]! % size
  return strongParts(graph).some((part) => part.some(isDiagonal) && !part.every(isDiagonal))
}

/** Whether one text leads from `before` to itself, from `before` to `after` and from `after` to itself. */
function share(
  { next, letters, accepting }: Automaton,
  before: readonly number[],
  after: readonly number[],
): boolean {
  const [first, last] = [new Set(before), new Set(after)]
  for (const p of before) {
    for (const q of after) {
      if (meets(next, letters, [p, p, q], [p, q, q], first, last, accepting)) return true
    }
  }
  return false
}

function meets(
  next: Automaton['next'],
  letters: number,
  from: readonly [number, number, number],
  to: readonly [number, number, number],
  first: ReadonlySet<number>,
  last: ReadonlySet<number>,
  accepting: ReadonlySet<number>,
): boolean {
  const size = next.length
  const key = ([x, y, z]: readonly [number, number, number]): number => (x * size + y) * size + z
  const goal = key(to)
  const seen = new Set<number>()
  const open: (readonly [number, number, number])[] = [from]
  for (let triple = open.pop(); triple !== undefined; triple = open.pop()) {
    const [x, y, z] = triple
    for (let letter = 0; letter < letters; letter++) {
      for (const x2 of next[x]![letter]!) {
        if (!first.has(x2)) continue
        for (const z2 of next[z]![letter]!) {
          if (!last.has(z2)) continue
          for (const y2 of next[y]![letter]!) {
            if (accepting.has(y2)) continue
            const target = [x2, y2, z2] as const
            const id = key(target)
            if (id === goal) return true
            if (!seen.has(id)) {
              seen.add(id)
              open.push(target)
            }
          }
        }
      }
    }
  }
  return false
}

/** Whether the restarts after every character enter the loop over the same text. */
function sharesWithStart({ next, letters, waiting }: Automaton, loop: readonly number[]): boolean {
  return [...waiting].some(([p, passed]) =>
    loop.some((q) => entersWhileLooping(next, letters, [p, passed], [q, new Set(loop)])),
  )
}

function entersWhileLooping(
  next: Automaton['next'],
  letters: number,
  [p, passed]: readonly [number, number],
  [q, loop]: readonly [number, ReadonlySet<number>],
): boolean {
  const size = next.length
  const seen = new Set<number>()
  const open: (readonly [number, number])[] = [[p, q]]
  for (let pair = open.pop(); pair !== undefined; pair = open.pop()) {
    const [y, z] = pair
    for (let letter = 0; letter < letters; letter++) {
      for (const z2 of next[z]![letter]!.filter((to) => loop.has(to))) {
        for (const y2 of next[y]![letter]!) {
          if (y2 === q && z2 === q && letter === passed) return true
          const id = y2 * size + z2
          if (!seen.has(id)) {
            seen.add(id)
            open.push([y2, z2])
          }
        }
      }
    }
  }
  return false
}

function reachable(graph: readonly (readonly number[])[], from: number): Set<number> {
  const seen = new Set([from])
  for (const state of seen) for (const to of graph[state]!) seen.add(to)
  return seen
}
