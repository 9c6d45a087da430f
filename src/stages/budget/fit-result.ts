import type { Json, JsonObject } from '@contextd/shared/json/value'
import { RESULT_META, type Answer, type Block } from '../../core/result.ts'
import { fitBlocks } from './fit-blocks.ts'
import {
  minKept,
  shortenText,
  shortenTexts,
  type CutRef,
  type Fitted,
  type FitJsonOptions,
  type FitTools,
} from './fit-json.ts'
import { fitMedia, isMedia, noteRoom } from './fit-media.ts'
import { fitOwn, type FitOptions, type FittedAnswer } from './fit-own.ts'
import { countUpTo } from './truncate.ts'

/** With less, there is no room to say what was cut and where to find it. */
export const MIN_ANSWER_TOKENS = 100

/** Shrinks an answer to the limit. */
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
    refsListed: false,
    textOnly: false,
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
    ? shortenText(json, field, limit, tools)
    : { text: `[structured content left out; read_more ${whole.ref} offset 0]`, ref: whole }
  return { blocks: [{ type: 'text', text }], refs: [ref], tokens: 0, blockTokens: tools.count(text) }
}
