import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Answer, Block, SourceSlice } from '../../core/result.ts'
import { fitBlocks, shorten } from './fit-blocks.ts'
import { fitJson, shortenTexts, type CutRef, type Fitted, type FitJsonOptions, type FitTools } from './fit-json.ts'
import { renderData } from './render-data.ts'
import { firstCharacterEnd } from './text-border.ts'
import { countUpTo, headWithin } from './truncate.ts'

export interface FitOptions extends FitTools {
  /** At least `LEAST_ANSWER_TOKENS`. */
  readonly limit: number
}

export interface FittedAnswer {
  readonly answer: Answer
  /** What the client puts into a context window. */
  readonly tokens: number
  readonly truncated: boolean
}

/** The key of our book-keeping in the `_meta` of answers that are not ours. */
export const RESULT_META = 'dev.contextd/result'

/** Less leaves no room for saying what was cut and where to find it. */
export const LEAST_ANSWER_TOKENS = 100

/** Tokens a shortened text keeps at least, where there is another way. */
const leastKept = 40

/** Makes an answer fit. Clients show either the text or the structured part, so each of them fits on its own. */
export function fitAnswer(answer: Answer, options: FitOptions): FittedAnswer {
  // What is shortened more than once on the way is kept once.
  const saved = new Map<string, string>()
  const save = (text: string): string => {
    const ref = saved.get(text) ?? options.save(text)
    saved.set(text, ref)
    return ref
  }
  return answer.own ? fitOwn(answer, { ...options, save }) : fitForeign(answer, { ...options, save })
}

function fitOwn({ slice, ...answer }: Answer, { limit, ...tools }: FitOptions): FittedAnswer {
  const extra = fitBlocks(answer.content, Math.floor(limit / 2), tools)
  const whole: Fitted = {
    value: isJsonObject(answer.structured) ? (answer.structured.data ?? null) : null,
    refs: [...extra.refs, ...(slice === undefined ? [] : restOf(slice, slice.to))],
  }
  const isTruncated = ({ refs }: Fitted): boolean => refs.some(({ ref }) => ref !== slice?.ref)
  const envelope = (fitted: Fitted, tokensUsed: number): JsonObject => ({
    data: fitted.value,
    ...(fitted.refs.length > 0 && { refs: fitted.refs as readonly JsonObject[] as JsonObject[], has_more: true }),
    ...(isTruncated(fitted) && { truncated: true }),
    tokens_used: tokensUsed,
  })
  const cost = (fitted: Fitted): number =>
    Math.max(
      countUpTo(ownText(fitted), 2 * limit, tools.count),
      countUpTo(JSON.stringify(envelope(fitted, 2 * limit)), 2 * limit, tools.count),
    )
  const room = limit - extra.tokens
  const fit: FitJsonOptions = { ...tools, limit: room, cost, root: 'data', refsInText: false, leastKept }
  const fitted =
    cost(whole) <= room ? whole : (fitSlice(slice, whole, fit) ?? fitJson(whole, fit) ?? fitAsText(whole, fit))
  const tokens = cost(fitted) + extra.tokens + extra.mediaTokens
  return {
    answer: {
      ...answer,
      content: [{ type: 'text', text: ownText(fitted) }, ...extra.blocks],
      structured: envelope(fitted, tokens),
    },
    tokens,
    truncated: isTruncated(fitted),
  }
}

/** The text block of our own answers. Texts say themselves what was cut from them; where to read on stands at the end. */
function ownText({ value, refs }: Fitted): string {
  const places = refs
    .filter(({ field }) => field.startsWith('data'))
    .map(({ ref, field, next, items }) => {
      const more = items === undefined ? '' : `: ${items} more items`
      return `[${field}${more}; read_more ${ref} offset ${next}]`
    })
  return [renderData(value), ...places].join('\n')
}

/** Text from behind a ref needs no ref of its own: what does not fit is read on from where it ends. */
function fitSlice(slice: SourceSlice | undefined, { value }: Fitted, { limit, cost, count }: FitJsonOptions): Fitted | undefined {
  if (slice === undefined || typeof value !== 'string') return undefined
  // Scrubbed once more, it may have changed, and then the offsets say nothing about it.
  if (Buffer.byteLength(value) !== slice.to - slice.from) return undefined
  const shown = (text: string): number => Math.max(count(text), count(JSON.stringify(text)))
  const upTo = (end: number): Fitted => {
    const kept = value.slice(0, end)
    return { value: kept, refs: restOf(slice, slice.from + Buffer.byteLength(kept)) }
  }
  for (let room = limit - cost({ value: '', refs: restOf(slice, slice.from) }); room > 0; ) {
    const fitted = upTo(headWithin(value, room, shown))
    const over = cost(fitted) - limit
    if (over <= 0 && fitted.value !== '') return fitted
    room -= Math.max(1, over)
  }
  return upTo(firstCharacterEnd(value))
}

function restOf({ ref, total }: SourceSlice, next: number): CutRef[] {
  return next < total ? [{ ref, field: 'data', next, until: total }] : []
}

/** The last resort: the beginning of the data as text. */
function fitAsText({ value, refs }: Fitted, fit: FitJsonOptions): Fitted {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return shortenTexts({ value: text, refs }, { ...fit, leastKept: 1 }) ?? { value: '', refs: [] }
}

function fitForeign(answer: Answer, { limit, ...tools }: FitOptions): FittedAnswer {
  const content = fitBlocks(answer.content, limit, tools)
  const structured = fitStructured(answer.structured, { limit, ...tools })
  const refs = [...content.refs, ...structured.refs]
  const tokens = Math.max(content.tokens, structured.tokens) + content.mediaTokens
  const truncated = refs.length > 0
  const bookkeeping = { tokens_used: tokens, ...(truncated && { refs: refs as readonly JsonObject[] as JsonObject[], truncated }) }
  const { structured: _, ...rest } = answer
  return {
    answer: {
      ...rest,
      content: content.blocks.length > 0 ? content.blocks : structured.blocks,
      ...(structured.value !== undefined && { structured: structured.value }),
      meta: { ...answer.meta, [RESULT_META]: bookkeeping },
    },
    tokens,
    truncated,
  }
}

interface FittedStructured {
  readonly value?: Json
  readonly refs: readonly CutRef[]
  readonly tokens: number
  /** What to show where there is nothing else. */
  readonly blocks: readonly Block[]
}

/** Keeps the shape that the tool's output schema promises; what cannot be made to fit is left out. */
function fitStructured(structured: Json | undefined, { limit, ...tools }: FitOptions): FittedStructured {
  if (structured === undefined) return { refs: [], tokens: 0, blocks: [] }
  const cost = ({ value }: Fitted): number => countUpTo(JSON.stringify(value), 2 * limit, tools.count)
  const whole: Fitted = { value: structured, refs: [] }
  if (cost(whole) <= limit) return { ...whole, tokens: cost(whole), blocks: [] }
  const fitted = fitJson(whole, { ...tools, limit, cost, root: 'structuredContent', refsInText: true, leastKept })
  if (fitted !== undefined) return { ...fitted, tokens: cost(fitted), blocks: [] }
  const { text, ref } = shorten(JSON.stringify(structured), 'structuredContent', limit, tools)
  return { refs: [ref], tokens: tools.count(text), blocks: [{ type: 'text', text }] }
}
