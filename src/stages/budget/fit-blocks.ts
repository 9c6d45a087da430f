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

/** A text shortened to less than this, including its marker, is not worth a separate block. */
const minKept = 100
/** Metadata next to a shortened text: its origin, its audience. */
const maxMetadataTokens = 50

interface TextPart {
  readonly index: number
  readonly text: string
  /** All fields except text and type, as JSON; may be empty. */
  readonly metadata: string
  readonly metadataTokens: number
  /** Total of both. Every block costs something; otherwise their number would be unlimited. */
  readonly tokens: number
  readonly field: string
  with(text: string): Block
}

/**
 * Fits content blocks, except media, into a limit: the longest are shortened, or only the first ones are kept if
 * there are many. A block that is long because of its metadata is shortened as JSON.
 */
export function fitBlocks(blocks: readonly Block[], limit: number, tools: FitTools): FittedBlocks {
  const measure = (block: Block, index: number): TextPart => {
    const part = textPart(block, index)
    const metadataTokens = countUpTo(part.metadata, limit, tools.count)
    const tokens = metadataTokens + countUpTo(part.text, limit, tools.count)
    return { ...part, index, metadataTokens, tokens: Math.max(1, tokens) }
  }
  const measured = (all: readonly Block[]): TextPart[] =>
    all.flatMap((block, index) => (isMedia(block) ? [] : [measure(block, index)]))
  const measuredParts = measured(blocks)
  const tokens = sumOf(measuredParts)
  if (tokens <= limit) return { blocks, refs: [], tokens }

  const asJson = (part: TextPart): TextPart => {
    const json = jsonPart(blocks[part.index], part.index)
    const jsonTokens = countUpTo(json.text, limit, tools.count)
    return { ...part, ...json, metadataTokens: 0, tokens: Math.max(part.tokens, jsonTokens) }
  }
  const parts = measuredParts.map((part) => (part.metadataTokens > maxMetadataTokens ? asJson(part) : part))
  const room = shareOut(
    parts.map((part) => part.tokens),
    { available: limit, perCut: 0 },
  )
  const fitted =
    room !== undefined && parts.every((part) => part.tokens <= room || room - part.metadataTokens >= minKept)
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
    const { text, ref } = shortenText(part.text, part.field, room - part.metadataTokens, tools)
    refs.push(ref)
    fitted[part.index] = part.with(text)
  }
  return { blocks: fitted, refs }
}

/** If there are too many to shorten each: keeps the first ones, and joins the others into one text behind one ref. */
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
  const joined = others
    .map(({ metadata, text }) => (metadata === '' ? text : `${metadata}\n${text}`))
    .join('\n\n')
  const { text, ref } = shortenText(joined, others[0]?.field ?? '', limit - used, tools)
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

type BlockText = Pick<TextPart, 'text' | 'metadata' | 'field' | 'with'>

/** Splits a block into its text for the model and the rest, and rebuilds it with another text. */
function textPart(block: Block, index: number): BlockText {
  const { type, ...members } = block
  if (type === 'text' && typeof members.text === 'string') {
    const { text, ...others } = members
    return {
      text,
      metadata: metadataOf(others),
      field: `content[${index}].text`,
      with: (shorter) => ({ ...block, text: shorter }),
    }
  }
  if (type === 'resource' && isJsonObject(members.resource) && typeof members.resource.text === 'string') {
    const { text, ...resource } = members.resource
    return {
      text,
      metadata: metadataOf({ ...members, resource }),
      field: `content[${index}].resource.text`,
      with: (shorter) => ({ ...block, resource: { ...resource, text: shorter } }),
    }
  }
  return jsonPart(block, index)
}

function jsonPart(block: Block | undefined, index: number): BlockText {
  return {
    text: JSON.stringify(block ?? null),
    metadata: '',
    field: `content[${index}]`,
    with: (text) => ({ type: 'text', text }),
  }
}

function metadataOf(members: JsonObject): string {
  return Object.keys(members).length === 0 ? '' : JSON.stringify(members)
}
