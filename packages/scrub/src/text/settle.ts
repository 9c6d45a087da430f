/** Finds until nothing more is found: a replaced secret can bring out its neighbour, and its value stands elsewhere too. */

import { partitionPoint } from '@contextd/shared/text/partition-point'
import { mergeSpans, type SecretSpan } from './span.ts'

/** Looks like a token, so that whoever reads the text treats it as one; it stands in for those not yet numbered. */
const standIn = '[SECRET_0]'
/** Each round takes more of the text than the last, so this is only reached by a text made for it. */
const maxRounds = 32
/** How far from a replaced secret the text may read differently without it. */
const neighbourhood = 4096

type Find = (text: string) => readonly SecretSpan[]

/** Values that are known, `find` tells it of new ones. */
interface Known {
  readonly size: number
  readonly find: Find
}

/**
 * What `find` finds in the text, and then around each secret in the text without it. Whenever more values have become
 * known on the way, they are looked for everywhere. Scrubbing the result again finds nothing.
 */
export function settle(text: string, find: Find, known?: Known): SecretSpan[] {
  let spans = mergeSpans(find(text))
  let fresh = spans
  for (let round = 0; fresh.length > 0; round++) {
    if (round === maxRounds) throw new Error('the text does not come to rest')
    const { text: rest, places, sourceOf } = replace(text, spans)
    const knownBefore = known?.size ?? 0
    const more = findAround(rest, placesOf(fresh, spans, places), find)
    if (known !== undefined && known.size > knownBefore) more.push(...known.find(rest))
    const grown = mergeSpans([...spans, ...more.map((span) => sourceOf(span))])
    fresh = newOf(grown, spans)
    spans = grown
  }
  return spans
}

/** Those that are not among the earlier ones; both are in order. */
function newOf(spans: readonly SecretSpan[], earlier: readonly SecretSpan[]): SecretSpan[] {
  const ends = new Map(earlier.map(({ start, end }) => [start, end]))
  return spans.filter(({ start, end }) => ends.get(start) !== end)
}

function placesOf(
  fresh: readonly SecretSpan[],
  spans: readonly SecretSpan[],
  places: readonly number[],
): number[] {
  const starts = new Set(fresh.map(({ start }) => start))
  return places.filter((_, i) => starts.has(spans[i]!.start))
}

/** Neighbourhoods that meet are one. */
function findAround(text: string, places: readonly number[], find: Find): SecretSpan[] {
  const found: SecretSpan[] = []
  for (let i = 0; i < places.length; i++) {
    const from = Math.max(0, places[i]! - neighbourhood)
    while (i + 1 < places.length && places[i + 1]! - places[i]! <= 2 * neighbourhood) i++
    const part = text.slice(from, places[i]! + standIn.length + neighbourhood)
    for (const { rule, start, end } of find(part)) found.push({ rule, start: start + from, end: end + from })
  }
  return found
}

interface Replaced {
  readonly text: string
  /** Where each stand-in begins in the new text. */
  readonly places: readonly number[]
  sourceOf(span: SecretSpan): SecretSpan
}

function replace(text: string, spans: readonly SecretSpan[]): Replaced {
  let replaced = ''
  let from = 0
  const places: number[] = []
  for (const { start, end } of spans) {
    replaced += text.slice(from, start)
    places.push(replaced.length)
    replaced += standIn
    from = end
  }
  replaced += text.slice(from)

  /** How many stand-ins begin before `at`. */
  const before = (at: number): number => partitionPoint(places.length, (index) => places[index]! < at)
  const back = (at: number, edge: 'start' | 'end'): number => {
    const index = before(edge === 'start' ? at + 1 : at) - 1
    if (index < 0) return at
    const over = at - places[index]!
    if (over < standIn.length) return edge === 'start' ? spans[index]!.start : spans[index]!.end
    return spans[index]!.end + over - standIn.length
  }
  return {
    text: replaced,
    places,
    sourceOf: ({ rule, start, end }) => ({ rule, start: back(start, 'start'), end: back(end, 'end') }),
  }
}
