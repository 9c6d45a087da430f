import { isJsonObject, type Json, type JsonObject } from '@contextd/shared/json/value'
import type { Answer, Block, SourceSlice } from '../../core/result.ts'
import { fitBlocks } from './fit-blocks.ts'
import {
  countShown,
  fitJson,
  shortenText,
  shortenTexts,
  type CutRef,
  type Fitted,
  type FitJsonOptions,
  type FitTools,
} from './fit-json.ts'
import { fitMedia, isMedia, noteRoom } from './fit-media.ts'
import { renderData } from './render-data.ts'
import { firstCharacterEnd } from './text-border.ts'
import { countUpTo, headWithin } from './truncate.ts'

export interface FitOptions extends FitTools {
  /** At least `MIN_ANSWER_TOKENS`. */
  readonly limit: number
  /** The remaining budget for everything, including media; may be less than the limit. */
  readonly left: number
}

export interface FittedAnswer {
  readonly answer: Answer
  /** The tokens that the client adds to a context window. */
  readonly tokens: number
  readonly truncated: boolean
}

/** The key of our accounting in the `_meta` of other servers' answers. */
export const RESULT_META = 'dev.contextd/result'

/** With less, there is no room to say what was cut and where to find it. */
export const MIN_ANSWER_TOKENS = 100

/** With less, a note would displace the requested content. */
const minForNote = 400

/** Min tokens of a shortened text, if there is an alternative. */
const minKept = 40

/**
 * Shrinks an answer to the limit. Clients show either the text or the structured content, so each must fit by itself.
 */
export function fitAnswer(answer: Answer, options: FitOptions): FittedAnswer {
  // Texts that are shortened repeatedly are stored once.
  const saved = new Map<string, string>()
  const save = (text: string): string => {
    const ref = saved.get(text) ?? options.save(text)
    saved.set(text, ref)
    return ref
  }
  return answer.own ? fitOwn(answer, { ...options, save }) : fitForeign(answer, { ...options, save })
}

function fitOwn(own: Answer, options: FitOptions): FittedAnswer {
  return passSmall(own, options) ?? fitLarge(own, options)
}

/** Fast path: most answers are small and pass unchanged. */
function passSmall(answer: Answer, { limit, count }: FitOptions): FittedAnswer | undefined {
  if (answer.content.length > 0 || answer.slice !== undefined || !isJsonObject(answer.structured))
    return undefined
  const { data = null } = answer.structured
  const note = noteIn(answer)
  const text = ownText({ value: data, refs: [] }, note)
  const shown = JSON.stringify({ data, ...note, tokens_used: limit })
  // Counting a longer text is left to the slow path.
  if (shown.length > 8 * limit) return undefined
  const tokens = Math.max(count(text), count(shown))
  if (tokens > limit) return undefined
  return {
    answer: {
      ...answer,
      content: [{ type: 'text', text }],
      structured: { data, ...note, tokens_used: tokens },
    },
    tokens,
    truncated: false,
  }
}

/** `tokens_used`, `truncated` and the like, next to the data. */
const maxEnvelopeTokens = 50

function fitLarge({ slice, ...answer }: Answer, { limit, left, ...tools }: FitOptions): FittedAnswer {
  const mediaNote = noteRoom(answer.content, tools)
  const texts = fitBlocks(answer.content, Math.floor((limit - mediaNote) / 2), tools)
  // An upper bound: the text of our own answer is not longer than its data as JSON.
  const besides =
    texts.tokens +
    mediaNote +
    maxEnvelopeTokens +
    countUpTo(JSON.stringify(answer.structured), limit, tools.count)
  const media = fitMedia(texts.blocks, left - Math.min(limit, besides), tools)
  const extra = { refs: [...texts.refs, ...media.refs], tokens: texts.tokens + media.noteTokens }
  const whole: Fitted = {
    value: isJsonObject(answer.structured) ? (answer.structured.data ?? null) : null,
    refs: [...extra.refs, ...(slice === undefined ? [] : restOf(slice, slice.to))],
  }
  // A shortened slice is not truncated: the answer already said that there is more.
  const isTruncated = (fitted: Fitted): boolean =>
    extra.refs.length > 0 || (fitted !== whole && slice === undefined)
  // With little budget left, all of it is used for the answer.
  const note = limit < minForNote ? {} : noteIn(answer)
  const envelope = (fitted: Fitted, tokensUsed: number): JsonObject => ({
    data: fitted.value,
    ...note,
    ...(fitted.refs.length > 0 && { refs: [...fitted.refs], has_more: true }),
    ...(isTruncated(fitted) && { truncated: true }),
    tokens_used: tokensUsed,
  })
  const cost = (fitted: Fitted): number =>
    Math.max(
      countUpTo(ownText(fitted, note), 2 * limit, tools.count),
      countUpTo(JSON.stringify(envelope(fitted, 2 * limit)), 2 * limit, tools.count),
    )
  const room = limit - extra.tokens
  const fit: FitJsonOptions = { ...tools, limit: room, cost, root: 'data', refsInText: false, minKept }
  const wholeTokens = cost(whole)
  const fitted =
    wholeTokens <= room
      ? whole
      : (fitSlice(slice, whole, fit) ?? fitJson(whole, fit) ?? fitAsText(whole, fit))
  const tokens = (fitted === whole ? wholeTokens : cost(fitted)) + extra.tokens + media.tokens
  return {
    answer: {
      ...answer,
      content: [{ type: 'text', text: ownText(fitted, note) }, ...media.blocks],
      structured: envelope(fitted, tokens),
    },
    tokens,
    truncated: isTruncated(fitted),
  }
}

/** A note in addition to the data, in both forms of the answer. */
interface Note {
  readonly note?: string
}

function noteIn({ structured }: Answer): Note {
  const note = isJsonObject(structured) ? structured.note : undefined
  return typeof note === 'string' ? { note } : {}
}

/**
 * The text block of our own answers. Shortened texts contain their own markers; where to continue is listed at the
 * end.
 */
function ownText({ value, refs }: Fitted, { note }: Note): string {
  const places = refs
    .filter(({ field }) => field.startsWith('data'))
    .map(({ ref, field, next, items }) => {
      const more = items === undefined ? '' : `: ${items} more items`
      return `[${field}${more}; read_more ${ref} offset ${next}]`
    })
  return [renderData(value), ...places, ...(note === undefined ? [] : [note])].join('\n')
}

/** Text from behind a ref needs no new ref: reading continues where it ends. */
function fitSlice(
  slice: SourceSlice | undefined,
  { value }: Fitted,
  { limit, cost, count }: FitJsonOptions,
): Fitted | undefined {
  if (slice === undefined || typeof value !== 'string') return undefined
  // If another scrub has changed it, the offsets no longer apply.
  if (Buffer.byteLength(value) !== slice.to - slice.from) return undefined
  const upTo = (end: number): Fitted => {
    const kept = value.slice(0, end)
    return { value: kept, refs: restOf(slice, slice.from + Buffer.byteLength(kept)) }
  }
  for (let room = limit - cost({ value: '', refs: restOf(slice, slice.from) }); room > 0;) {
    const fitted = upTo(headWithin(value, room, countShown(count)))
    const excess = cost(fitted) - limit
    if (excess <= 0 && fitted.value !== '') return fitted
    room -= Math.max(1, excess)
  }
  return upTo(firstCharacterEnd(value))
}

function restOf({ ref, total }: SourceSlice, next: number): CutRef[] {
  return next < total ? [{ ref, field: 'data', next, until: total }] : []
}

/** Last resort: the start of the data as text. */
function fitAsText({ value, refs }: Fitted, fit: FitJsonOptions): Fitted {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return shortenTexts({ value: text, refs }, { ...fit, minKept: 1 }) ?? { value: '', refs: [] }
}

function fitForeign(answer: Answer, options: FitOptions): FittedAnswer {
  return passSmallForeign(answer, options) ?? fitLargeForeign(answer, options)
}

/**
 * Fast path: most answers of other servers are one or two short texts, perhaps with equal structured data, and pass
 * unchanged.
 */
function passSmallForeign(answer: Answer, { limit, count }: FitOptions): FittedAnswer | undefined {
  const { content, structured, meta } = answer
  if (meta !== undefined) return undefined
  let chars = 0
  let textTokens = 0
  for (const block of content) {
    if (!isPlainText(block)) return undefined
    chars += block.text.length
    // Counting longer texts is left to the slow path.
    if (chars > limit) return undefined
    textTokens += Math.max(1, count(block.text))
  }
  const json = structured === undefined ? '' : JSON.stringify(structured)
  if (json.length > limit) return undefined
  const tokens = Math.max(textTokens, json === '' ? 0 : count(json))
  if (tokens > limit) return undefined
  return {
    answer: { ...answer, meta: { [RESULT_META]: { tokens_used: tokens } } },
    tokens,
    truncated: false,
  }
}

/** A block with nothing but a text. */
function isPlainText(block: Block): block is Block & { text: string } {
  if (block.type !== 'text' || typeof block.text !== 'string') return false
  for (const key in block) if (key !== 'type' && key !== 'text') return false
  return true
}

function fitLargeForeign(answer: Answer, { limit, left, ...tools }: FitOptions): FittedAnswer {
  const { structured, meta: _, ...rest } = answer
  const meta = fitMeta(answer.meta, { limit, ...tools })
  const room = limit - meta.tokens - noteRoom(answer.content, tools)
  const isText = (block: Block): boolean => !isMedia(block)
  const fitted =
    structured === undefined
      ? noStructured
      : (fitStructured(structured, limit - meta.tokens, tools) ??
        replaceByText(JSON.stringify(structured), !answer.content.some(isText), room, tools))
  const texts = fitBlocks(answer.content, room - fitted.blockTokens, tools)
  // If a text says the same, its marker is enough.
  const isRepeated = fitted.refs.some(({ ref }) => texts.refs.some((other) => other.ref === ref))
  const shown = texts.tokens + (isRepeated ? 0 : fitted.blockTokens)
  const besides = Math.max(shown, fitted.tokens) + meta.tokens
  const media = fitMedia(texts.blocks, left - Math.min(limit, besides + noteRoom(texts.blocks, tools)), tools)
  const refs = [...texts.refs, ...fitted.refs, ...media.refs, ...meta.refs]
  const tokens = Math.max(shown + media.noteTokens, fitted.tokens) + meta.tokens + media.tokens
  const truncated = refs.length > 0
  return {
    answer: {
      ...rest,
      content: isRepeated ? media.blocks : [...media.blocks, ...fitted.blocks],
      ...(fitted.value !== undefined && { structured: fitted.value }),
      meta: { ...meta.value, [RESULT_META]: { tokens_used: tokens, ...(truncated && { refs, truncated }) } },
    },
    tokens,
    truncated,
  }
}

interface FittedMeta {
  readonly value?: JsonObject
  readonly refs: readonly CutRef[]
  readonly tokens: number
}

/** Programs read `_meta`, and shortening it would corrupt it: it is kept or dropped as a whole. */
function fitMeta(meta: JsonObject | undefined, { limit, count, save }: Omit<FitOptions, 'left'>): FittedMeta {
  if (meta === undefined || Object.keys(meta).length === 0) return { refs: [], tokens: 0 }
  // A small answer has no room next to its text.
  const maxTokens = Math.min(Math.floor(limit / 4), limit - MIN_ANSWER_TOKENS)
  const json = JSON.stringify(meta)
  const tokens = countUpTo(json, maxTokens, count)
  if (tokens <= maxTokens) return { value: meta, refs: [], tokens }
  return { refs: [{ ref: save(json), field: '_meta', next: 0, until: Buffer.byteLength(json) }], tokens: 0 }
}

/** The structured content, or the text block that replaces it. */
interface FittedStructured {
  readonly value?: Json
  readonly blocks: readonly Block[]
  readonly refs: readonly CutRef[]
  readonly tokens: number
  readonly blockTokens: number
}

const noStructured: FittedStructured = { blocks: [], refs: [], tokens: 0, blockTokens: 0 }

/**
 * Preserves the shape that the tool's output schema promises. Clients that show structured content show nothing else:
 * so only texts may be shortened, which then say so, but not arrays.
 */
function fitStructured(structured: Json, limit: number, tools: FitTools): FittedStructured | undefined {
  const cost = ({ value }: Fitted): number => countUpTo(JSON.stringify(value), 2 * limit, tools.count)
  const whole: Fitted = { value: structured, refs: [] }
  const fit: FitJsonOptions = {
    ...tools,
    limit,
    cost,
    root: 'structuredContent',
    refsInText: true,
    minKept,
  }
  const fitted = cost(whole) <= limit ? whole : shortenTexts(whole, fit)
  return fitted && { ...fitted, blocks: [], tokens: cost(fitted), blockTokens: 0 }
}

/**
 * Structured content that cannot be shortened is dropped: its start is shown as text, or if there is other text, only
 * its ref.
 */
function replaceByText(json: string, showText: boolean, limit: number, tools: FitTools): FittedStructured {
  const field = 'structuredContent'
  const whole = { ref: tools.save(json), field, next: 0, until: Buffer.byteLength(json) }
  const { text, ref } = showText
    ? shortenText(json, field, limit, { ...tools, refsInText: true })
    : { text: `[structured content left out; read_more ${whole.ref} offset 0]`, ref: whole }
  return { blocks: [{ type: 'text', text }], refs: [ref], tokens: 0, blockTokens: tools.count(text) }
}
