import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { Block } from '../../core/result.ts'
import { someRef, type CutRef, type FitTools } from './fit-json.ts'
import { countUpTo } from './truncate.ts'

export interface FittedMedia {
  readonly blocks: readonly Block[]
  readonly refs: readonly CutRef[]
  /** Of the pictures and sounds that stay. */
  readonly tokens: number
  readonly noteTokens: number
}

/** What a model pays for a picture of ordinary size; that of sound is in the same region. */
const tokensPerMedia = 1500
/** More than this many are never in one answer, however much a session has left. */
const maxMedia = 8
/** What stands beside the bytes: a type, a name, annotations. A block with more of it is no picture but a hiding place. */
const maxMetadataTokens = 200

const notBase64 = /[^\w+/=\r\n-]/

/** True for pictures, sound and the bytes of resources, which cannot be cut. */
export function isMedia(block: Block): boolean {
  return withoutBytes(block) !== undefined
}

/** Tokens of text to keep free for a note on what was left out. */
export function noteRoom(blocks: readonly Block[], { count }: FitTools): number {
  const many = blocks.filter(isMedia).length
  return many === 0 ? 0 : count(note(many, someRef))
}

/** Keeps the pictures and sounds that `room` has tokens for, the first ones first. In place of the others stands a note. */
export function fitMedia(blocks: readonly Block[], room: number, { count, save }: FitTools): FittedMedia {
  const leftOut = new Map<number, Json>()
  let tokens = 0
  let kept = 0
  for (const [index, block] of blocks.entries()) {
    const beside = withoutBytes(block)
    if (beside === undefined) continue
    const besideTokens = countUpTo(JSON.stringify(beside), maxMetadataTokens, count)
    const cost = tokensPerMedia + besideTokens
    if (besideTokens > maxMetadataTokens || kept === maxMedia || tokens + cost > room)
      leftOut.set(index, beside)
    else {
      tokens += cost
      kept += 1
    }
  }
  const [first] = leftOut.keys()
  if (first === undefined) return { blocks, refs: [], tokens, noteTokens: 0 }
  const json = Array.from(leftOut.values(), (beside) => `${JSON.stringify(beside)}\n`).join('')
  const ref = save(json)
  const text = note(leftOut.size, ref)
  return {
    blocks: blocks.flatMap((block, index) => {
      if (index === first) return [{ type: 'text', text }]
      return leftOut.has(index) ? [] : [block]
    }),
    refs: [{ ref, field: `content[${first}]`, next: 0, until: Buffer.byteLength(json), items: leftOut.size }],
    tokens,
    noteTokens: count(text),
  }
}

function note(many: number, ref: string): string {
  const what = many === 1 ? 'picture or sound' : 'pictures or sounds'
  return `[… ${many} ${what} left out; described in read_more ${ref} offset 0]`
}

/** What of a picture or sound is not its bytes; undefined where a block is neither. */
function withoutBytes(block: Block): Json | undefined {
  if (block.type === 'image' || block.type === 'audio') {
    const { data, ...beside } = block
    return isBase64(data) ? beside : undefined
  }
  if (block.type !== 'resource' || !isJsonObject(block.resource)) return undefined
  const { blob, ...resource } = block.resource
  return isBase64(blob) ? { ...block, resource } : undefined
}

/** Anything else in the place of bytes is text. */
function isBase64(value: Json | undefined): boolean {
  return typeof value === 'string' && !notBase64.test(value)
}
