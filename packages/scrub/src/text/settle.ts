/** Searches until nothing more is found: replacing one secret can expose another, and its value may occur elsewhere. */

import { partitionPoint } from '@contextd/shared/text/partition-point'
import { mergeSpans, type SecretSpan } from './span.ts'

/** Has the form of a token, so that rules treat it as one before tokens are numbered. */
const placeholder = '[SECRET_0]'
/** Every round covers more of the text, so only text crafted for it reaches this limit. */
const maxRounds = 32
/** How far from a replaced secret its replacement may change the findings. */
const contextLength = 4096

type Find = (text: string) => readonly SecretSpan[]

/** Values that are known; `find` adds new ones. */
interface Known {
  readonly size: number
  readonly find: Find
}

/**
 * The findings of `find` in the text, then around each secret with the secrets replaced, until there are no new ones.
 * Values that become known on the way are searched for in the whole text. Scrubbing the result again finds nothing.
 */
export function settle(text: string, find: Find, known?: Known): SecretSpan[] {
  let spans = mergeSpans(find(text))
  let fresh = spans
  for (let round = 0; fresh.length > 0; round++) {
    if (round === maxRounds) throw new Error('the search keeps finding more secrets')
    const { text: replacedText, offsets, sourceOf } = replace(text, spans)
    const knownBefore = known?.size ?? 0
    const added = findAround(replacedText, offsetsOf(fresh, spans, offsets), find)
    if (known !== undefined && known.size > knownBefore) added.push(...known.find(replacedText))
    const merged = mergeSpans([...spans, ...added.map((span) => sourceOf(span))])
    fresh = newSpans(merged, spans)
    spans = merged
  }
  return spans
}

/** The spans that are not in `earlier`. */
function newSpans(spans: readonly SecretSpan[], earlier: readonly SecretSpan[]): SecretSpan[] {
  const ends = new Map(earlier.map(({ start, end }) => [start, end]))
  return spans.filter(({ start, end }) => ends.get(start) !== end)
}

function offsetsOf(
  fresh: readonly SecretSpan[],
  spans: readonly SecretSpan[],
  offsets: readonly number[],
): number[] {
  const starts = new Set(fresh.map(({ start }) => start))
  return offsets.filter((_, i) => starts.has(spans[i]!.start))
}

/** Searches around the given offsets; overlapping contexts are merged. */
function findAround(text: string, offsets: readonly number[], find: Find): SecretSpan[] {
  const found: SecretSpan[] = []
  for (let i = 0; i < offsets.length; i++) {
    const from = Math.max(0, offsets[i]! - contextLength)
    while (i + 1 < offsets.length && offsets[i + 1]! - offsets[i]! <= 2 * contextLength) i++
    const part = text.slice(from, offsets[i]! + placeholder.length + contextLength)
    for (const { rule, start, end } of find(part)) found.push({ rule, start: start + from, end: end + from })
  }
  return found
}

interface Replaced {
  readonly text: string
  /** Where each placeholder starts in the new text. */
  readonly offsets: readonly number[]
  sourceOf(span: SecretSpan): SecretSpan
}

function replace(text: string, spans: readonly SecretSpan[]): Replaced {
  let replaced = ''
  let from = 0
  const offsets: number[] = []
  for (const { start, end } of spans) {
    replaced += text.slice(from, start)
    offsets.push(replaced.length)
    replaced += placeholder
    from = end
  }
  replaced += text.slice(from)

  /** How many placeholders start before `at`. */
  const countBefore = (at: number): number => partitionPoint(offsets.length, (index) => offsets[index]! < at)
  const toSource = (at: number, edge: 'start' | 'end'): number => {
    const index = countBefore(edge === 'start' ? at + 1 : at) - 1
    if (index < 0) return at
    const distance = at - offsets[index]!
    if (distance < placeholder.length) return edge === 'start' ? spans[index]!.start : spans[index]!.end
    return spans[index]!.end + distance - placeholder.length
  }
  return {
    text: replaced,
    offsets,
    sourceOf: ({ rule, start, end }) => ({
      rule,
      start: toSource(start, 'start'),
      end: toSource(end, 'end'),
    }),
  }
}
