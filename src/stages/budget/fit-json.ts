import type { Json } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { formatPath, largestArray, mapLongTexts, replaceAt } from './json-parts.ts'
import { shareOut } from './share-out.ts'
import { countUpTo, truncateText, type Keep } from './truncate.ts'

/** Where the rest of a shortened field can be read: the bytes from `next` to `until` of the text behind the ref are missing. */
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

/** What fitting needs from outside. */
export interface FitTools {
  readonly count: CountTokens
  readonly keep: Keep
  /** Keeps a text for later and answers its ref. */
  readonly save: (text: string) => string
}

export interface FitJsonOptions extends FitTools {
  readonly limit: number
  /** Tokens of what the client would see; need not be exact beyond the limit. */
  readonly cost: (fitted: Fitted) => number
  /** What the whole is called in the fields of refs. */
  readonly root: string
  /** True where shortened texts must name their ref themselves, because the client does not show the list of refs. */
  readonly refsInText: boolean
  /** Tokens a shortened text keeps at least; less is not worth having. */
  readonly minKept: number
}

/** How many arrays are shortened before giving up. */
const maxArrays = 6
/** Stands for any ref when its cost is reckoned: they all look like noise. */
export const someRef = 'ref_xQ7vK2pZ9wJ4mT8bN3cH6f'

/**
 * Makes a value fit that does not, keeping its shape: first long texts are shortened, then long arrays keep their first items.
 * Undefined where that is not enough.
 */
export function fitJson(whole: Fitted, options: FitJsonOptions): Fitted | undefined {
  let fitted = whole
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
  const { limit, cost, root, refsInText, minKept } = options
  const count = countShown(options.count)
  const texts: string[] = []
  let longestField = ''
  const empty = mapLongTexts(fitted.value, (text, path) => {
    const field = formatPath(root, path)
    if (field.length > longestField.length) longestField = field
    texts.push(text)
    return ''
  })
  // Each costs a token at least, and only a few can be cut: no need to count them.
  if (texts.length > limit) return undefined
  const sizes = texts.map((text) => countUpTo(text, limit, count))
  const perCut = refsInText ? 0 : refCost(longestField, options)
  let room = shareOut(sizes, { available: limit - cost({ ...fitted, value: empty }), perCut })
  while (room !== undefined && room >= minKept) {
    const shortened = shortenTo(room, fitted, sizes, { ...options, count })
    const over = cost(shortened) - limit
    if (over <= 0) return shortened
    room -= over
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

/** Shortens one text and keeps the whole of it behind a ref. */
export function shortenText(
  text: string,
  field: string,
  room: number,
  { count, keep, save, refsInText }: FitTools & Pick<FitJsonOptions, 'refsInText'>,
): { readonly text: string; readonly ref: CutRef } {
  const ref = save(text)
  const shortened = truncateText(text, room, { keep, count, ...(refsInText && { ref }) })
  const { fromChar = 0, toChar = 0 } = shortened.cut ?? {}
  const bytes = (chars: number): number => Buffer.byteLength(text.slice(0, chars))
  return { text: shortened.text, ref: { ref, field, next: bytes(fromChar), until: bytes(toChar) } }
}

/** Keeps the first items of the largest array, at least one. Behind its ref stand all items, as JSON, one a line. */
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
  const keeping = (many: number): Fitted => ({
    value: replaceAt(fitted.value, path, items.slice(0, many)),
    refs: [
      ...fitted.refs,
      {
        ref,
        field,
        next: Buffer.byteLength(lines.slice(0, many).join('')),
        until: Buffer.byteLength(text),
        items: items.length - many,
      },
    ],
  })
  let fewer = keeping(Math.max(1, kept))
  for (let many = kept; many > 1 && cost(fewer) > limit;) {
    many = Math.floor(many * 0.85)
    fewer = keeping(many)
  }
  return fewer
}

/** A text is shown as it is in a text block, escaped in JSON: the dearer of the two counts. */
export function countShown(count: CountTokens): CountTokens {
  return (text) => Math.max(count(text), count(JSON.stringify(text)))
}

/** What one more entry in the list of refs costs. */
function refCost(field: string, { count }: FitJsonOptions): number {
  return count(
    `,${JSON.stringify({ ref: someRef, field, next: 99_999_999, until: 99_999_999, items: 9_999_999 })}`,
  )
}
