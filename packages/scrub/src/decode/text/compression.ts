import { inflate } from './inflate.ts'

export type Compression = 'gzip' | 'zlib' | 'deflate'

/** How much the compressed runs of one text may unpack to, all together. */
export interface InflateBudget {
  left: number
}

export const inflateLimit = 1 << 20
/** What each of them may unpack to in any case. */
const fairShare = 256

/** The checksums behind the data. */
const trailers = { gzip: 8, zlib: 4, deflate: 0 }

/** What a stream unpacks to, and how many bytes it has. */
export interface Unpacked {
  readonly content: Uint8Array
  readonly used: number
}

/**
 * What was compressed, or as much of its beginning as the budget allows: a bomb costs no more than a text. A stream
 * that was cut short gives what it has; what follows the end of one is left alone.
 */
export function unpacked(
  bytes: Uint8Array,
  compression: Compression,
  budget: InflateBudget,
): Unpacked | undefined {
  const most = Math.max(fairShare, budget.left)
  const { content, used, status } = inflate(bytes, headerLength(bytes, compression), most)
  budget.left -= content.length
  if (status === 'broken' && compression === 'deflate') return undefined
  return {
    content,
    used: status === 'ended' ? Math.min(bytes.length, used + trailers[compression]) : bytes.length,
  }
}

/** By the first bytes: gzip and zlib have a mark. */
export function markedCompression(bytes: Uint8Array): 'gzip' | 'zlib' | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08) return 'gzip'
  return bytes[0] === 0x78 && ((bytes[0] << 8) | bytes[1]!) % 31 === 0 ? 'zlib' : undefined
}

/** For eight bits with the first one lowest: whether the fixed code has a printable character for them. */
const printableCodes = Uint8Array.from({ length: 256 }, (_, bits) => {
  let code = 0
  for (let i = 0; i < 8; i++) code |= ((bits >> i) & 1) << (7 - i)
  const character = code - 0x30
  return Number((character >= 0x20 && character < 0x7f) || (character >= 0x09 && character <= 0x0d))
})

/**
 * Whether the first bytes may begin a deflate stream of a text, which has no mark to know it by: by the first symbols
 * of a block with the fixed code, or by the code lengths of one with its own, which have to add up.
 */
export function mayBeDeflated(head: Uint8Array): boolean {
  const type = (head[0]! >> 1) & 3
  if (type === 2) return hasCompleteLengths(head)
  if (type !== 1) return false
  const bits = head[0]! | (head[1]! << 8) | (head[2]! << 16) | (head[3]! << 24)
  return (
    printableCodes[(bits >>> 3) & 0xff] === 1 &&
    printableCodes[(bits >>> 11) & 0xff] === 1 &&
    printableCodes[(bits >>> 19) & 0xff] === 1 &&
    inflate(head, 0, head.length).status !== 'broken'
  )
}

/** Three bits each, from the eighteenth on, for as many lengths as the four bits before say. */
function hasCompleteLengths(head: Uint8Array): boolean {
  const bitsAt = (at: number): number => ((head[at >> 3]! | (head[(at >> 3) + 1]! << 8)) >> (at & 7)) & 0xf
  const count = bitsAt(13) + 4
  let room = 128
  for (let i = 0; i < count; i++) {
    const length = bitsAt(17 + 3 * i) & 7
    if (length > 0) room -= 128 >> length
  }
  return room === 0
}

function headerLength(bytes: Uint8Array, compression: Compression): number {
  if (compression !== 'gzip') return compression === 'zlib' ? 2 : 0
  const flags = bytes[3] ?? 0
  let at = 10
  if ((flags & 4) !== 0) at += 2 + (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8)
  for (const flag of [8, 16]) {
    if ((flags & flag) === 0) continue
    const end = bytes.indexOf(0, at)
    at = end < 0 ? bytes.length : end + 1
  }
  return (flags & 2) === 0 ? at : at + 2
}
