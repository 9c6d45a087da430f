import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { Block } from '../../core/result.ts'
import { fileKind, headBytes } from '../../platform/files/file-kind.ts'
import { placeholderRef, type CutRef, type FitTools } from './fit-json.ts'
import { countUpTo } from './truncate.ts'

export interface FittedMedia {
  readonly blocks: readonly Block[]
  readonly refs: readonly CutRef[]
  /** Of the media that are kept. */
  readonly tokens: number
  readonly noteTokens: number
}

/** For an image of unknown size, and for sound: what a model charges for an average image. */
const tokensPerMedia = 1500
/** What Claude charges for an image: by its area, up to the size that larger ones are reduced to. */
const pixelsPerToken = 750
const maxImageTokens = 4800
/** Max media in one answer, however much budget a session has left. */
const maxMedia = 8
/** Metadata next to the bytes: a type, a name, annotations. A block with more than this is used to smuggle text. */
const maxMetadataTokens = 200

const notBase64 = /[^\w+/=\r\n-]/

/** True for images, sound and binary resources, which cannot be shortened. */
export function isMedia(block: Block): boolean {
  return withoutBytes(block) !== undefined
}

function tokensOf({ type, data }: Block): number {
  if (type !== 'image' || typeof data !== 'string') return tokensPerMedia
  // Base64 has four characters for three bytes.
  const head = Buffer.from(data.slice(0, Math.ceil(headBytes / 3) * 4), 'base64')
  const kind = fileKind(head, false)
  if (kind.kind !== 'image' || kind.width === undefined || kind.height === undefined) return tokensPerMedia
  return Math.min(maxImageTokens, Math.ceil((kind.width * kind.height) / pixelsPerToken))
}

/** Tokens to reserve for a note about omitted media. */
export function noteRoom(blocks: readonly Block[], { count }: FitTools): number {
  const mediaCount = blocks.filter(isMedia).length
  return mediaCount === 0 ? 0 : count(note(mediaCount, placeholderRef))
}

/** Keeps the first media that fit into `room`, and replaces the others by a note. */
export function fitMedia(blocks: readonly Block[], room: number, { count, save }: FitTools): FittedMedia {
  const omitted = new Map<number, Json>()
  let tokens = 0
  let kept = 0
  for (const [index, block] of blocks.entries()) {
    const metadata = withoutBytes(block)
    if (metadata === undefined) continue
    const metadataTokens = countUpTo(JSON.stringify(metadata), maxMetadataTokens, count)
    const cost = tokensOf(block) + metadataTokens
    if (metadataTokens > maxMetadataTokens || kept === maxMedia || tokens + cost > room)
      omitted.set(index, metadata)
    else {
      tokens += cost
      kept += 1
    }
  }
  const [first] = omitted.keys()
  if (first === undefined) return { blocks, refs: [], tokens, noteTokens: 0 }
  const json = Array.from(omitted.values(), (metadata) => `${JSON.stringify(metadata)}\n`).join('')
  const ref = save(json)
  const text = note(omitted.size, ref)
  return {
    blocks: blocks.flatMap((block, index) => {
      if (index === first) return [{ type: 'text', text }]
      return omitted.has(index) ? [] : [block]
    }),
    refs: [{ ref, field: `content[${first}]`, next: 0, until: Buffer.byteLength(json), items: omitted.size }],
    tokens,
    noteTokens: count(text),
  }
}

function note(mediaCount: number, ref: string): string {
  const what = mediaCount === 1 ? 'picture or sound' : 'pictures or sounds'
  return `[… ${mediaCount} ${what} left out; described in read_more ${ref} offset 0]`
}

/** The metadata of a media block; undefined for other blocks. */
function withoutBytes(block: Block): Json | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    const { data, ...metadata } = block
    return isBase64(data) ? metadata : undefined
  }
  if (block.type !== 'resource' || !isJsonObject(block.resource)) return undefined
  const { blob, ...resource } = block.resource
  return isBase64(blob) ? { ...block, resource } : undefined
}

/** Any other value in place of bytes is text. */
function isBase64(value: Json | undefined): boolean {
  return typeof value === 'string' && !notBase64.test(value)
}
