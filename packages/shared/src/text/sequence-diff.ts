/** Differences between two sequences of texts, such as the lines of two files or the items of two lists. Pure. */

import { partitionPoint } from './partition-point.ts'

/** Positions from which both sequences have the same items. */
export interface CommonRun {
  readonly from: number
  readonly to: number
  readonly length: number
}

export interface DiffRow {
  /** Removed, added or in both. */
  readonly kind: '-' | '+' | ' '
  readonly text: string
}

/** Limits the time and the memory of the search for a longest common subsequence: at most one number per step. */
const maxSteps = 2_000_000

/**
 * The runs of a longest common subsequence, in order. For sequences that are long and too different, those around items
 * that occur once in each: never wrong, but not always the longest.
 */
export function commonRuns(from: readonly string[], to: readonly string[]): CommonRun[] {
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && from[head] === to[head]) head++
  let tail = 0
  while (tail < shorter - head && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++

  const numbers = new Map<string, number>()
  const numbered = (items: readonly string[]): Int32Array =>
    Int32Array.from(items.slice(head, items.length - tail), (item) => {
      const number = numbers.get(item) ?? numbers.size
      numbers.set(item, number)
      return number
    })
  const [left, right] = [numbered(from), numbered(to)]
  const between = searchRuns(left, right) ?? runsAroundAnchors(left, right)
  return [
    { from: 0, to: 0, length: head },
    ...between.map((run) => ({ from: head + run.from, to: head + run.to, length: run.length })),
    { from: from.length - tail, to: to.length - tail, length: tail },
  ].filter(({ length }) => length > 0)
}

/** All items of both, in order; removed ones before those added in their place. */
export function diffRows(from: readonly string[], to: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = []
  const add = (kind: DiffRow['kind'], items: readonly string[], start: number, end: number): void => {
    for (let at = start; at < end; at++) rows.push({ kind, text: items[at]! })
  }
  let [old, next] = [0, 0]
  for (const run of [...commonRuns(from, to), { from: from.length, to: to.length, length: 0 }]) {
    add('-', from, old, run.from)
    add('+', to, next, run.to)
    add(' ', from, run.from, run.from + run.length)
    old = run.from + run.length
    next = run.to + run.length
  }
  return rows
}

/** The lines of a text. With line ends, so that a missing final newline is a difference. */
export function linesWithEnds(text: string): string[] {
  return text.match(/[^\n]+\n?|\n/g) ?? []
}

/**
 * Myers' algorithm from the end, so that the path can be followed from the start. Undefined if it takes too many steps.
 */
function searchRuns(left: Int32Array, right: Int32Array): CommonRun[] | undefined {
  if (left.length === 0 || right.length === 0) return []
  /** By number of edits: how many items of `left`, counted from the end, can be covered on each diagonal. */
  const reached: Int32Array[] = []
  let steps = 0
  for (let edits = 0; ; edits++) {
    const before = reached[edits - 1]
    const now = new Int32Array(edits + 1)
    reached.push(now)
    for (let at = 0; at <= edits; at++) {
      // Diagonals run from -edits to edits in steps of two: `at` was reached by an edit from `at - 1` or `at` before.
      const diagonal = 2 * at - edits
      const removing = before === undefined || at === 0 ? -1 : before[at - 1]! + 1
      const adding = before === undefined || at === edits ? -1 : before[at]!
      let x = Math.max(removing, adding, 0)
      const start = x
      while (
        x < left.length &&
        x - diagonal < right.length &&
        left[left.length - 1 - x] === right[right.length - 1 - x + diagonal]
      ) {
        x++
      }
      steps += x - start + 1
      if (steps > maxSteps) return undefined
      now[at] = x
      if (x >= left.length && x - diagonal >= right.length) return followPath(left, right, reached)
    }
  }
}

/** Takes equal items as soon as they meet, and otherwise prefers removing to adding where both lead to the end. */
function followPath(left: Int32Array, right: Int32Array, reached: readonly Int32Array[]): CommonRun[] {
  const runs = collectRuns()
  let edits = reached.length - 1
  for (let x = 0, y = 0; x < left.length && y < right.length;) {
    if (left[x] === right[y]) runs.add(x++, y++)
    else {
      edits--
      const remaining = left.length - x - 1
      const diagonal = remaining - (right.length - y)
      const reach = reached[edits]?.[(diagonal + edits) / 2]
      if (reach !== undefined && reach >= remaining) x++
      else y++
    }
  }
  return runs.all
}

/** The longest order that the items occurring once in each side share, each run extended over equal neighbours. */
function runsAroundAnchors(left: Int32Array, right: Int32Array): CommonRun[] {
  const places = uniquePlaces(left)
  const anchors = [...uniquePlaces(right)].flatMap(([item, to]) => {
    const from = places.get(item)
    return from === undefined ? [] : [{ from, to }]
  })
  const runs = collectRuns()
  const rising = risingAnchors(anchors)
  let [x, y] = [0, 0]
  for (const [index, { from, to }] of rising.entries()) {
    const next = rising[index + 1]
    let back = 0
    while (from - back > x && to - back > y && left[from - back - 1] === right[to - back - 1]) back++
    x = from - back
    y = to - back
    const [endOfLeft, endOfRight] = [next?.from ?? left.length, next?.to ?? right.length]
    while (x < endOfLeft && y < endOfRight && left[x] === right[y]) runs.add(x++, y++)
  }
  return runs.all
}

function uniquePlaces(items: Int32Array): Map<number, number> {
  const places = new Map<number, number>()
  const repeated = new Set<number>()
  for (const [place, item] of items.entries()) {
    if (places.has(item)) repeated.add(item)
    places.set(item, place)
  }
  for (const item of repeated) places.delete(item)
  return places
}

interface Anchor {
  readonly from: number
  readonly to: number
}

/** A longest subsequence in which `from` rises; `to` rises already. */
function risingAnchors(anchors: readonly Anchor[]): Anchor[] {
  /** By length: the end of the subsequence of this length whose last `from` is the lowest. */
  const ends: number[] = []
  const previous: number[] = []
  for (const [index, { from }] of anchors.entries()) {
    const length = partitionPoint(ends.length, (at) => anchors[ends[at]!]!.from < from)
    previous.push(ends[length - 1] ?? -1)
    ends[length] = index
  }
  const rising: Anchor[] = []
  for (let at = ends.at(-1) ?? -1; at !== -1; at = previous[at]!) rising.push(anchors[at]!)
  return rising.toReversed()
}

function collectRuns(): { readonly all: CommonRun[]; readonly add: (from: number, to: number) => void } {
  const all: { from: number; to: number; length: number }[] = []
  return {
    all,
    add(from, to) {
      const last = all.at(-1)
      const isNext = last !== undefined && last.from + last.length === from && last.to + last.length === to
      if (isNext) last.length++
      else all.push({ from, to, length: 1 })
    },
  }
}
