import type { Json } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { formatPath, largestArray, mapLongTexts, replaceAt } from './json-parts.ts'
import { shareOut } from './share-out.ts'
import { countUpTo, truncateText, type Keep } from './truncate.ts'

/**
 * Where the rest of a shortened field can be read: the bytes from `next` to `until` of the text behind the ref are
 * missing.
 */
export type CutRef = {
  readonly ref: string
  readonly field: string
  readonly next: number
  readonly until: number
  /** How many items of an array are missing. */
  readonly items?: number
}

export interface Fitted {
  readonly value: Json
  readonly refs: readonly CutRef[]
}

/** External dependencies of fitting. */
export interface FitTools {
  readonly count: CountTokens
  readonly keep: Keep
  /** Stores a text for later reading and returns its ref. */
  readonly save: (text: string) => string
}

export interface FitJsonOptions extends FitTools {
  readonly limit: number
  /** Tokens of what the client would see; may be inexact beyond the limit. */
  readonly cost: (fitted: Fitted) => number
  /** The root name in the fields of refs. */
  readonly root: string
  /** Whether `cost` includes a list of all refs, next to those in the shortened texts. */
  readonly refsListed: boolean
  /** Whether texts are shown only as they are, and not in JSON. */
  readonly textOnly: boolean
  /** Min tokens of a shortened text; less would be useless. */
  readonly minKept: number
}

/** Min tokens of a shortened text, if there is an alternative: with less, the marker with its ref would not fit. */
export const minKept = 60
/** Max arrays to shorten. */
const maxArrays = 6
/** Placeholder for calculating a ref's cost: all refs are random. */
export const placeholderRef = 'ref_xQ7vK2pZ9wJ4mT8bN3cH6f'

/**
 * Shrinks a value while preserving its shape: long texts are shortened first, then long arrays keep only their first
 * items. Undefined if that is not enough.
 */
export function fitJson(original: Fitted, options: FitJsonOptions): Fitted | undefined {
  let fitted = original
  for (let round = 0; round < maxArrays; round += 1) {
    const shortened = shortenTexts(fitted, options)
    if (shortened !== undefined) return shortened
    const fewer = shortenArray(fitted, options)
    if (fewer === undefined) return undefined
    if (options.cost(fewer) <= options.limit) return fewer
    fitted = fewer
  }
  return shortenTexts(fitted, options)
}

/** Gives every long text the same room, and shortens those that need more. */
export function shortenTexts(fitted: Fitted, options: FitJsonOptions): Fitted | undefined {
  const { limit, cost, root, refsListed, minKept: least } = options
  const count = shownCount(options)
  const texts: string[] = []
  let longestField = ''
  const empty = mapLongTexts(fitted.value, (text, path) => {
    const field = formatPath(root, path)
    if (field.length > longestField.length) longestField = field
    texts.push(text)
    return ''
  })
  // Each costs at least one token, and only a few can be shortened, so there is no need to count them.
  if (texts.length > limit) return undefined
  const sizes = texts.map((text) => countUpTo(text, limit, count))
  const perCut = refsListed ? refCost(longestField, options) : 0
  let room = shareOut(sizes, { available: limit - cost({ ...fitted, value: empty }), perCut })
  while (room !== undefined && room >= least) {
    const shortened = shortenTo(room, fitted, sizes, { ...options, count })
    const excess = cost(shortened) - limit
    if (excess <= 0) return shortened
    room -= excess
  }
  return undefined
}

function shortenTo(room: number, fitted: Fitted, sizes: readonly number[], options: FitJsonOptions): Fitted {
  const refs = [...fitted.refs]
  let index = 0
  const value = mapLongTexts(fitted.value, (text, path) => {
    const size = sizes[index] ?? 0
    index += 1
    if (size <= room) return text
    const shortened = shortenText(text, formatPath(options.root, path), room, options)
    refs.push(shortened.ref)
    return shortened.text
  })
  return { value, refs }
}

/** Shortens a text, with a marker that names the ref behind which the complete text is stored. */
export function shortenText(
  text: string,
  field: string,
  room: number,
  { count, keep, save }: FitTools,
): { readonly text: string; readonly ref: CutRef } {
  const ref = save(text)
  const shortened = truncateText(text, room, { keep, count, ref })
  const { fromChar = 0, toChar = 0 } = shortened.cut ?? {}
  const bytes = (chars: number): number => Buffer.byteLength(text.slice(0, chars))
  return { text: shortened.text, ref: { ref, field, next: bytes(fromChar), until: bytes(toChar) } }
}

/** Keeps the first items of the largest array, at least one. The ref contains all items as JSON, one per line. */
function shortenArray(fitted: Fitted, options: FitJsonOptions): Fitted | undefined {
  const { limit, cost, root, count, save } = options
  const array = largestArray(fitted.value)
  if (array === undefined) return undefined
  const { path, items } = array
  const field = formatPath(root, path)
  const lines = items.map((item) => `${JSON.stringify(item)}\n`)
  const text = lines.join('')
  const without = cost({ value: replaceAt(fitted.value, path, []), refs: fitted.refs })
  let available = limit - without - refCost(field, options)
  let kept = 0
  for (; kept < lines.length - 1; kept += 1) {
    available -= countUpTo(lines[kept] ?? '', limit, count)
    if (available < 0) break
  }
  const ref = save(text)
  const keeping = (itemCount: number): Fitted => ({
    value: replaceAt(fitted.value, path, items.slice(0, itemCount)),
    refs: [
      ...fitted.refs,
      {
        ref,
        field,
        next: Buffer.byteLength(lines.slice(0, itemCount).join('')),
        until: Buffer.byteLength(text),
        items: items.length - itemCount,
      },
    ],
  })
  let fewer = keeping(Math.max(1, kept))
  for (let itemCount = kept; itemCount > 1 && cost(fewer) > limit;) {
    itemCount = Math.floor(itemCount * 0.85)
    fewer = keeping(itemCount)
  }
  return fewer
}

/** A text appears verbatim in a text block and, unless only that is shown, escaped in JSON: the higher cost counts. */
export function shownCount({ count, textOnly }: Pick<FitJsonOptions, 'count' | 'textOnly'>): CountTokens {
  return textOnly ? count : (text) => Math.max(count(text), count(JSON.stringify(text)))
}

/** The cost of another entry in the list of refs. */
function refCost(field: string, { count }: FitJsonOptions): number {
  return count(
    `,${JSON.stringify({ ref: placeholderRef, field, next: 99_999_999, until: 99_999_999, items: 9_999_999 })}`,
  )
}
