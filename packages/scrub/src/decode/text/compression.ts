import { inflate } from './inflate.ts'

export type Compression = 'gzip' | 'zlib' | 'deflate'

/** Total number of bytes that the compressed runs of one text may expand to. */
export interface InflateBudget {
  remaining: number
}

export const maxInflatedBytes = 1 << 20
/** Guaranteed for each run, even if the budget is used up. */
const guaranteedBytes = 256

/** Lengths of the checksums after the data. */
const trailers = { gzip: 8, zlib: 4, deflate: 0 }

/** The content of a stream, and the stream's length. */
export interface Decompressed {
  readonly content: Uint8Array
  readonly used: number
}

/**
 * The content of a compressed stream, limited by the budget as a defence against bombs. A truncated stream returns what it
 * contains. Data after the end of the stream is ignored.
 */
export function decompress(
  bytes: Uint8Array,
  compression: Compression,
  budget: InflateBudget,
): Decompressed | undefined {
  const maxBytes = Math.max(guaranteedBytes, budget.remaining)
  const { content, used, status } = inflate(bytes, headerLength(bytes, compression), maxBytes)
  budget.remaining -= content.length
  if (status === 'invalid' && compression === 'deflate') return undefined
  return {
    content,
    used: status === 'ended' ? Math.min(bytes.length, used + trailers[compression]) : bytes.length,
  }
}

/** Detects gzip and zlib by their headers. */
export function detectCompression(bytes: Uint8Array): 'gzip' | 'zlib' | undefined {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 0x08) return 'gzip'
  return bytes[0] === 0x78 && ((bytes[0] << 8) | bytes[1]!) % 31 === 0 ? 'zlib' : undefined
}

/** For eight bits in stream order: whether they are a printable character in the fixed Huffman code. */
const printableCodes = Uint8Array.from({ length: 256 }, (_, bits) => {
  let code = 0
  for (let i = 0; i < 8; i++) code |= ((bits >> i) & 1) << (7 - i)
  const character = code - 0x30
  return Number((character >= 0x20 && character < 0x7f) || (character >= 0x09 && character <= 0x0d))
})

/**
 * Whether the first bytes may start a deflate stream of text, which has no header. Checks the first symbols of a block
 * with the fixed code, or the code lengths of a block with a dynamic code, which must form a complete code.
 */
export function mayBeDeflated(head: Uint8Array): boolean {
  const type = (head[0]! >> 1) & 3
  if (type === 2) return hasCompleteCode(head)
  if (type !== 1) return false
  const bits = head[0]! | (head[1]! << 8) | (head[2]! << 16) | (head[3]! << 24)
  return (
    printableCodes[(bits >>> 3) & 0xff] === 1 &&
    printableCodes[(bits >>> 11) & 0xff] === 1 &&
    printableCodes[(bits >>> 19) & 0xff] === 1 &&
    inflate(head, 0, head.length).status !== 'invalid'
  )
}

/** Code lengths of three bits each start at bit 17; the four bits before give their number. */
function hasCompleteCode(head: Uint8Array): boolean {
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
