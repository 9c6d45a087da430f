import { isJsonObject, type JsonObject } from '@contextd/shared/json/value'
import type { Block } from '../../core/result.ts'
import { shortenText, type CutRef, type FitTools } from './fit-json.ts'
import { isMedia } from './fit-media.ts'
import { shareOut } from './share-out.ts'
import { countUpTo } from './truncate.ts'

export interface FittedBlocks {
  readonly blocks: readonly Block[]
  readonly refs: readonly CutRef[]
  readonly tokens: number
}

/** A text cut to less than this, its marker included, is not worth a block of its own. */
const minKept = 100
/** What may stand beside the text of a block that is cut: where it is from, whom it is for. */
const maxMetadataTokens = 50

interface TextPart {
  readonly index: number
  readonly text: string
  /** All members but the text and the type, as JSON; empty where there are none. */
  readonly beside: string
  readonly besideTokens: number
  /** Of both. No block is free, or there could be any number. */
  readonly tokens: number
  readonly field: string
  with(text: string): Block
}

/**
 * Fits content blocks, pictures and sound aside, into a limit: the longest are shortened, or the first ones kept where there are
 * many. A block that is long because of what stands beside its text is shortened as JSON.
 */
export function fitBlocks(blocks: readonly Block[], limit: number, tools: FitTools): FittedBlocks {
  const measure = (block: Block, index: number): TextPart => {
    const part = textPart(block, index)
    const besideTokens = countUpTo(part.beside, limit, tools.count)
    const tokens = besideTokens + countUpTo(part.text, limit, tools.count)
    return { ...part, index, besideTokens, tokens: Math.max(1, tokens) }
  }
  const measured = (all: readonly Block[]): TextPart[] =>
    all.flatMap((block, index) => (isMedia(block) ? [] : [measure(block, index)]))
  const whole = measured(blocks)
  const tokens = sumOf(whole)
  if (tokens <= limit) return { blocks, refs: [], tokens }

  const asJson = (part: TextPart): TextPart => {
    const json = jsonPart(blocks[part.index], part.index)
    const jsonTokens = countUpTo(json.text, limit, tools.count)
    return { ...part, ...json, besideTokens: 0, tokens: Math.max(part.tokens, jsonTokens) }
  }
  const parts = whole.map((part) => (part.besideTokens > maxMetadataTokens ? asJson(part) : part))
  const room = shareOut(
    parts.map((part) => part.tokens),
    { available: limit, perCut: 0 },
  )
  const fitted =
    room !== undefined && parts.every((part) => part.tokens <= room || room - part.besideTokens >= minKept)
      ? shortenLongest(blocks, parts, room, tools)
      : keepFirst(blocks, parts, limit, tools)
  return { ...fitted, tokens: sumOf(measured(fitted.blocks)) }
}

function sumOf(parts: readonly TextPart[]): number {
  return parts.reduce((sum, part) => sum + part.tokens, 0)
}

type Shortened = Pick<FittedBlocks, 'blocks' | 'refs'>

function shortenLongest(
  blocks: readonly Block[],
  parts: readonly TextPart[],
  room: number,
  tools: FitTools,
): Shortened {
  const refs: CutRef[] = []
  const fitted = [...blocks]
  for (const part of parts) {
    if (part.tokens <= room) continue
    const { text, ref } = shortenText(part.text, part.field, room - part.besideTokens, {
      ...tools,
      refsInText: true,
    })
    refs.push(ref)
    fitted[part.index] = part.with(text)
  }
  return { blocks: fitted, refs }
}

/** Where there are too many to shorten each: the first ones as they are, the others together as one text behind one ref. */
function keepFirst(
  blocks: readonly Block[],
  parts: readonly TextPart[],
  limit: number,
  tools: FitTools,
): Shortened {
  let room = limit - minKept
  const rest = parts.findIndex((part) => {
    room -= part.tokens
    return room < 0
  })
  const others = parts.slice(rest)
  const used = sumOf(parts.slice(0, rest))
  const joined = others.map(({ beside, text }) => (beside === '' ? text : `${beside}\n${text}`)).join('\n\n')
  const { text, ref } = shortenText(joined, others[0]?.field ?? '', limit - used, {
    ...tools,
    refsInText: true,
  })
  const first = others[0]?.index
  const dropped = new Set(others.map((part) => part.index))
  return {
    blocks: blocks.flatMap((block, index) => {
      if (index === first) return [{ type: 'text', text }]
      return dropped.has(index) ? [] : [block]
    }),
    refs: [ref],
  }
}

type Read = Pick<TextPart, 'text' | 'beside' | 'field' | 'with'>

/** What of a block is text for the model, what else it has, and how to put another text there. */
function textPart(block: Block, index: number): Read {
  const { type, ...members } = block
  if (type === 'text' && typeof members.text === 'string') {
    const { text, ...others } = members
    return {
      text,
      beside: besideOf(others),
      field: `content[${index}].text`,
      with: (shorter) => ({ ...block, text: shorter }),
    }
  }
  if (type === 'resource' && isJsonObject(members.resource) && typeof members.resource.text === 'string') {
    const { text, ...resource } = members.resource
    return {
      text,
      beside: besideOf({ ...members, resource }),
      field: `content[${index}].resource.text`,
      with: (shorter) => ({ ...block, resource: { ...resource, text: shorter } }),
    }
  }
  return jsonPart(block, index)
}

function jsonPart(block: Block | undefined, index: number): Read {
  return {
    text: JSON.stringify(block ?? null),
    beside: '',
    field: `content[${index}]`,
    with: (text) => ({ type: 'text', text }),
  }
}

function besideOf(members: JsonObject): string {
  return Object.keys(members).length === 0 ? '' : JSON.stringify(members)
}
