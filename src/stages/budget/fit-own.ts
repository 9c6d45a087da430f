/** Shrinks the answers of our own tools: their data, and the text that is rendered from it. */

import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { Answer, SourceSlice } from '../../core/result.ts'
import type { Tool } from '../../core/tool.ts'
import { fitBlocks } from './fit-blocks.ts'
import {
  fitJson,
  minKept,
  shortenTexts,
  shownCount,
  type CutRef,
  type Fitted,
  type FitJsonOptions,
  type FitTools,
} from './fit-json.ts'
import { fitMedia, noteRoom } from './fit-media.ts'
import { renderData } from './render-data.ts'
import { firstCharacterEnd } from './text-border.ts'
import { countUpTo, headWithin } from './truncate.ts'

export interface FitOptions extends FitTools {
  /** At least `MIN_ANSWER_TOKENS`. */
  readonly limit: number
  /** The remaining budget for everything, including media; may be less than the limit. */
  readonly left: number
  /** Clients show either the text or the data of our own answers, so each must fit by itself, unless they get only the text. */
  readonly textOnly?: boolean
  readonly renderText?: Tool['renderText']
}

export interface FittedAnswer {
  readonly answer: Answer
  /** The tokens that the client adds to a context window. */
  readonly tokens: number
  readonly truncated: boolean
}

/** With less, a note would displace the requested content. */
const minForNote = 400

export function fitOwn(own: Answer, options: FitOptions): FittedAnswer {
  return passSmall(own, options) ?? fitLarge(own, options)
}

/** Fast path: most answers are small and pass unchanged. */
function passSmall(
  answer: Answer,
  { limit, count, textOnly = false, renderText }: FitOptions,
): FittedAnswer | undefined {
  if (answer.content.length > 0 || answer.slice !== undefined || !isJsonObject(answer.structured))
    return undefined
  const { data = null } = answer.structured
  const note = noteIn(answer)
  const text = ownText({ value: data, refs: [] }, { ...note, renderText })
  const json = textOnly ? '' : JSON.stringify({ data, ...note, tokens_used: limit })
  // Counting a longer text is left to the slow path.
  if (Math.max(text.length, json.length) > 8 * limit) return undefined
  const tokens = Math.max(count(text), json === '' ? 0 : count(json))
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

/** An upper bound: the text of our own answer is not longer than its data as JSON. */
function maxOwnTokens({ structured }: Answer, limit: number, { count }: FitTools): number {
  return maxEnvelopeTokens + countUpTo(JSON.stringify(structured), limit, count)
}

function fitLarge(
  { slice, ...answer }: Answer,
  { limit, left, textOnly = false, renderText, ...tools }: FitOptions,
): FittedAnswer {
  const mediaNote = noteRoom(answer.content, tools)
  const texts = fitBlocks(answer.content, Math.floor((limit - mediaNote) / 2), tools)
  // Large texts are counted only if media compete with them.
  const besides = mediaNote === 0 ? limit : texts.tokens + mediaNote + maxOwnTokens(answer, limit, tools)
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
  const textOf = (fitted: Fitted): string => ownText(fitted, { ...note, slice, renderText })
  const envelope = (fitted: Fitted, tokensUsed: number): JsonObject => ({
    data: fitted.value,
    ...note,
    ...(fitted.refs.length > 0 && { refs: [...fitted.refs], has_more: true }),
    ...(isTruncated(fitted) && { truncated: true }),
    tokens_used: tokensUsed,
  })
  const measure = (shown: string): number => countUpTo(shown, 2 * limit, tools.count)
  const cost = (fitted: Fitted): number =>
    Math.max(measure(textOf(fitted)), textOnly ? 0 : measure(JSON.stringify(envelope(fitted, 2 * limit))))
  const room = limit - extra.tokens
  const fit: FitJsonOptions = {
    ...tools,
    limit: room,
    cost,
    root: 'data',
    refsListed: !textOnly,
    textOnly,
    minKept,
  }
  const wholeTokens = cost(whole)
  const fitted =
    wholeTokens <= room
      ? whole
      : (fitSlice(slice, whole, fit) ?? fitJson(whole, fit) ?? fitAsText(whole, fit))
  const tokens = (fitted === whole ? wholeTokens : cost(fitted)) + extra.tokens + media.tokens
  return {
    answer: {
      ...answer,
      content: [{ type: 'text', text: textOf(fitted) }, ...media.blocks],
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

interface TextParts extends Note {
  readonly slice?: SourceSlice | undefined
  readonly renderText: Tool['renderText'] | undefined
}

/**
 * The text block of our own answers. Shortened texts contain their own markers; where shortened lists and slices
 * continue is listed at the end.
 */
function ownText({ value, refs }: Fitted, { note, slice, renderText }: TextParts): string {
  const places = refs.flatMap(({ ref, field, next, items }) => {
    if (items !== undefined) return [`[${items} more${placeOf(field)}; read_more ${ref} offset ${next}]`]
    return ref === slice?.ref ? [`[more: read_more ${ref} offset ${next}]`] : []
  })
  // Data that was cut as text has no shape to render.
  const text = renderText !== undefined && isJsonObject(value) ? renderText(value) : renderData(value)
  return [text, ...places, ...(note === undefined ? [] : [note])].join('\n')
}

/** ` in matches`; nothing for the data itself, which has no name in the text. */
function placeOf(field: string): string {
  const name = field.slice('data'.length).replace(/^\./, '')
  return name === '' ? '' : ` in ${name}`
}

/** The tokens of an answer before it is shortened, up to `max + 1`. */
export function ownTokens(
  { structured, content }: Answer,
  max: number,
  { count, textOnly, renderText }: Pick<FitOptions, 'count' | 'textOnly' | 'renderText'>,
): number {
  const value = isJsonObject(structured) ? (structured.data ?? null) : null
  const blocks = content.map(({ text }) => (typeof text === 'string' ? text : ''))
  const text = [ownText({ value, refs: [] }, { renderText }), ...blocks].join('\n')
  const json = textOnly === true ? '' : JSON.stringify(structured ?? null)
  return Math.max(countUpTo(text, max, count), json === '' ? 0 : countUpTo(json, max, count))
}

/** Text from behind a ref needs no new ref: reading continues where it ends. */
function fitSlice(
  slice: SourceSlice | undefined,
  { value }: Fitted,
  { limit, cost, ...tools }: FitJsonOptions,
): Fitted | undefined {
  if (slice === undefined || typeof value !== 'string') return undefined
  // If another scrub has changed it, the offsets no longer apply.
  if (Buffer.byteLength(value) !== slice.to - slice.from) return undefined
  const upTo = (end: number): Fitted => {
    const kept = value.slice(0, end)
    return { value: kept, refs: restOf(slice, slice.from + Buffer.byteLength(kept)) }
  }
  for (let room = limit - cost({ value: '', refs: restOf(slice, slice.from) }); room > 0;) {
    const fitted = upTo(headWithin(value, room, shownCount(tools)))
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
