import { isJsonObject } from '../../core/json.ts'
import type { Block } from '../../core/result.ts'
import { shortenText, type CutRef, type FitTools } from './fit-json.ts'
import { shareOut } from './share-out.ts'
import { countUpTo } from './truncate.ts'

export interface FittedBlocks {
  readonly blocks: readonly Block[]
  readonly refs: readonly CutRef[]
  /** Of what is text. */
  readonly tokens: number
  /** Of pictures and sound, which cannot be cut: they count, but take no room from the text. */
  readonly mediaTokens: number
}

/** What a model pays for a picture of ordinary size; that of sound is in the same region. */
const tokensPerMedia = 1500
/** A text cut to less than this, its marker included, is not worth a block of its own. */
const leastKept = 100

interface TextPart {
  readonly index: number
  readonly text: string
  readonly tokens: number
  readonly field: string
  with(text: string): Block
}

/** Fits the text of content blocks into a limit: the longest are shortened, or the first ones kept where there are many. */
export function fitBlocks(blocks: readonly Block[], limit: number, tools: FitTools): FittedBlocks {
  const { count } = tools
  const parts = blocks.flatMap((block, index): TextPart[] => {
    const part = textPart(block, index)
    return part === undefined ? [] : [{ ...part, index, tokens: countUpTo(part.text, limit, count) }]
  })
  const mediaTokens = (blocks.length - parts.length) * tokensPerMedia
  const tokens = parts.reduce((sum, part) => sum + part.tokens, 0)
  if (tokens <= limit) return { blocks, refs: [], tokens, mediaTokens }

  const room = shareOut(
    parts.map((part) => part.tokens),
    { available: limit, perCut: 0 },
  )
  const fitted =
    room !== undefined && room >= leastKept
      ? shortenLongest(blocks, parts, room, tools)
      : keepFirst(blocks, parts, limit, tools)
  const texts = fitted.blocks.flatMap((block, index) => textPart(block, index)?.text ?? [])
  return { ...fitted, tokens: texts.reduce((sum, text) => sum + count(text), 0), mediaTokens }
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
    const { text, ref } = shortenText(part.text, part.field, room, { ...tools, refsInText: true })
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
  let room = limit - leastKept
  const rest = parts.findIndex((part) => {
    room -= part.tokens
    return room < 0
  })
  const others = parts.slice(rest)
  const used = parts.slice(0, rest).reduce((sum, part) => sum + part.tokens, 0)
  const joined = others.map((part) => part.text).join('\n\n')
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

/** What of a block is text for the model, and how to put another text there; undefined for pictures and sound. */
function textPart(block: Block, index: number): Pick<TextPart, 'text' | 'field' | 'with'> | undefined {
  const field = `content[${index}]`
  if (block.type === 'text' && typeof block.text === 'string') {
    return { text: block.text, field: `${field}.text`, with: (text) => ({ ...block, text }) }
  }
  if (block.type === 'image' || block.type === 'audio') return undefined
  const { resource } = block
  if (isJsonObject(resource)) {
    if (typeof resource.blob === 'string') return undefined
    if (typeof resource.text === 'string') {
      return {
        text: resource.text,
        field: `${field}.resource.text`,
        with: (text) => ({ ...block, resource: { ...resource, text } }),
      }
    }
  }
  return { text: JSON.stringify(block), field, with: (text) => ({ type: 'text', text }) }
}
