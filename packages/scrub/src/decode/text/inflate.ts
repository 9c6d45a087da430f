/**
 * Decompresses deflate streams (RFC 1951) with bounded output. `node:zlib` allocates an engine per stream and throws on
 * invalid data, which is far too slow when every second hash must be checked.
 */

/** The decompressed content, the number of bytes read, and how the stream ended. */
export interface Inflated {
  readonly content: Uint8Array
  readonly used: number
  /** `truncated`: the input or the space for output ended first. `invalid`: the data is not a deflate stream. */
  readonly status: 'ended' | 'truncated' | 'invalid'
}

const windowSize = 0x8000
const lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115]
lengthBases.push(131, 163, 195, 227, 258)
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const distanceBits = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1))
const distanceBases = distanceBits.map((bits, code) =>
  code < 4 ? code + 1 : (2 + (code & 1)) * 2 ** bits + 1,
)
/** The order in which the lengths of the code-length code are stored. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const endOfBlock = 256
const maxCodeLength = 15
/** Codes up to this length are decoded with one table lookup. */
const quickBits = 9

/** A Huffman code. */
interface Code {
  /** Indexed by the next bits: the symbol and its code length in one number; 0 for longer codes. */
  readonly quickTable: Uint16Array
  /** Number of codes of each length, and their symbols in order. */
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

/** The position in a stream, and its output so far. */
interface Stream {
  readonly bytes: Uint8Array
  at: number
  bitBuffer: number
  bits: number
  output: Uint8Array
  length: number
  readonly maxLength: number
}

/** Returned in place of a number. */
const truncated = -1
const invalid = -2

export function inflate(bytes: Uint8Array, from: number, maxLength: number): Inflated {
  const stream: Stream = {
    bytes,
    at: from,
    bitBuffer: 0,
    bits: 0,
    output: new Uint8Array(Math.min(maxLength, 256)),
    length: 0,
    maxLength,
  }
  let status = 0
  for (let isLast = 0; isLast === 0 && status === 0;) {
    isLast = readBits(stream, 1)
    const type = readBits(stream, 2)
    if (isLast < 0 || type < 0) status = truncated
    else if (type === 0) status = copyStored(stream)
    else if (type === 3) status = invalid
    else status = type === 1 ? unpack(stream, fixed.literals, fixed.distances) : unpackDynamic(stream)
  }
  return {
    content: stream.output.subarray(0, stream.length),
    used: stream.at - (stream.bits >> 3),
    status: status === 0 ? 'ended' : status === truncated ? 'truncated' : 'invalid',
  }
}

/** The next bits as a number, or -1 at the end of the stream. */
function readBits(stream: Stream, count: number): number {
  while (stream.bits < count) {
    if (stream.at >= stream.bytes.length) return truncated
    stream.bitBuffer |= stream.bytes[stream.at++]! << stream.bits
    stream.bits += 8
  }
  const value = stream.bitBuffer & ((1 << count) - 1)
  stream.bitBuffer >>>= count
  stream.bits -= count
  return value
}

function copyStored(stream: Stream): number {
  stream.at -= stream.bits >> 3
  stream.bits = 0
  stream.bitBuffer = 0
  const length = readBits(stream, 16)
  const check = readBits(stream, 16)
  if (length < 0 || check < 0) return truncated
  if ((length ^ check) !== 0xffff) return invalid
  const end = Math.min(stream.at + length, stream.bytes.length)
  const copyLength = Math.min(end - stream.at, stream.maxLength - stream.length)
  makeRoom(stream, copyLength)
  stream.output.set(stream.bytes.subarray(stream.at, stream.at + copyLength), stream.length)
  stream.length += copyLength
  stream.at += copyLength
  return copyLength === length ? 0 : truncated
}

function unpackDynamic(stream: Stream): number {
  const literals = readBits(stream, 5) + 257
  const distances = readBits(stream, 5) + 1
  const count = readBits(stream, 4) + 4
  if (count < 4) return truncated
  if (literals > 286 || distances > 30) return invalid
  const lengths = new Uint8Array(320)
  for (let i = 0; i < count; i++) {
    const length = readBits(stream, 3)
    if (length < 0) return truncated
    lengths[lengthOrder[i]!] = length
  }
  const lengthCode = codeOf(lengths.subarray(0, 19))
  if (lengthCode === undefined) return invalid
  lengths.fill(0)
  for (let at = 0; at < literals + distances;) {
    const symbol = nextSymbol(stream, lengthCode)
    if (symbol < 0) return symbol
    if (symbol < 16) {
      lengths[at++] = symbol
      continue
    }
    const repeatCount =
      symbol === 16
        ? readBits(stream, 2) + 3
        : symbol === 17
          ? readBits(stream, 3) + 3
          : readBits(stream, 7) + 11
    const minRepeatCount = symbol === 16 ? 3 : symbol === 17 ? 3 : 11
    if (repeatCount < minRepeatCount) return truncated
    if (at + repeatCount > literals + distances || (symbol === 16 && at === 0)) return invalid
    lengths.fill(symbol === 16 ? lengths[at - 1]! : 0, at, at + repeatCount)
    at += repeatCount
  }
  const literalCode = codeOf(lengths.subarray(0, literals))
  const distanceCode = codeOf(lengths.subarray(literals, literals + distances))
  if (literalCode === undefined || distanceCode === undefined || lengths[endOfBlock] === 0) return invalid
  return unpack(stream, literalCode, distanceCode)
}

/** Decompresses one block of literals and back-references. */
function unpack(stream: Stream, literals: Code, distances: Code): number {
  for (;;) {
    const symbol = nextSymbol(stream, literals)
    if (symbol === endOfBlock) return 0
    if (symbol < 0) return symbol
    if (stream.length >= stream.maxLength) return truncated
    if (symbol < endOfBlock) {
      makeRoom(stream, 1)
      stream.output[stream.length++] = symbol
      continue
    }
    const bits = lengthBits[symbol - 257]
    if (bits === undefined) return invalid
    const extra = readBits(stream, bits)
    const distanceSymbol = nextSymbol(stream, distances)
    if (extra < 0 || distanceSymbol < 0) return extra < 0 ? truncated : distanceSymbol
    if (distanceSymbol > 29) return invalid
    const extraDistance = readBits(stream, distanceBits[distanceSymbol]!)
    if (extraDistance < 0) return truncated
    const distance = distanceBases[distanceSymbol]! + extraDistance
    if (distance > stream.length || distance > windowSize) return invalid
    const length = Math.min(lengthBases[symbol - 257]! + extra, stream.maxLength - stream.length)
    makeRoom(stream, length)
    // Byte by byte, because a copy may overlap its source.
    for (let end = stream.length + length; stream.length < end; stream.length++) {
      stream.output[stream.length] = stream.output[stream.length - distance]!
    }
  }
}

function nextSymbol(stream: Stream, code: Code): number {
  // At the end of the stream there may be fewer bits than the table needs; the code is then decoded bit by bit.
  while (stream.bits < quickBits && stream.at < stream.bytes.length) {
    stream.bitBuffer |= stream.bytes[stream.at++]! << stream.bits
    stream.bits += 8
  }
  const entry = code.quickTable[stream.bitBuffer & ((1 << quickBits) - 1)]!
  const length = entry & 0xf
  if (length > 0 && length <= stream.bits) {
    stream.bitBuffer >>>= length
    stream.bits -= length
    return entry >> 4
  }
  return longSymbol(stream, code)
}

/** Codes of one length are consecutive; the first is twice the number after the last code that is one bit shorter. */
function longSymbol(stream: Stream, code: Code): number {
  let value = 0
  let first = 0
  let index = 0
  for (let length = 1; length <= maxCodeLength; length++) {
    const bit = readBits(stream, 1)
    if (bit < 0) return truncated
    value = (value << 1) | bit
    const count = code.counts[length]!
    if (value - first < count) return code.symbols[index + value - first]!
    index += count
    first = (first + count) << 1
  }
  return invalid
}

/** The code with these lengths; undefined if it is incomplete or oversubscribed. A single symbol may be incomplete. */
function codeOf(lengths: Uint8Array): Code | undefined {
  const counts = new Uint16Array(maxCodeLength + 1)
  for (const length of lengths) counts[length]!++
  counts[0] = 0
  let used = 0
  let room = 1
  for (let length = 1; length <= maxCodeLength; length++) {
    room = room * 2 - counts[length]!
    if (room < 0) return undefined
    used += counts[length]!
  }
  if (room > 0 && used > 1) return undefined
  const symbols = new Uint16Array(lengths.length)
  const quickTable = new Uint16Array(1 << quickBits)
  let index = 0
  let value = 0
  for (let length = 1; length <= maxCodeLength; length++, value <<= 1) {
    if (counts[length] === 0) continue
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      symbols[index++] = symbol
      if (length <= quickBits) {
        const entry = (symbol << 4) | length
        for (let at = reversed(value, length); at < quickTable.length; at += 1 << length)
          quickTable[at] = entry
      }
      value++
    }
  }
  return { quickTable, counts, symbols }
}

/** Codes are stored with their first bit lowest. */
function reversed(value: number, length: number): number {
  let result = 0
  for (let i = 0; i < length; i++) result |= ((value >> i) & 1) << (length - 1 - i)
  return result
}

function makeRoom(stream: Stream, needed: number): void {
  if (stream.length + needed <= stream.output.length) return
  const larger = new Uint8Array(
    Math.min(stream.maxLength, Math.max(stream.output.length * 2, stream.length + needed)),
  )
  larger.set(stream.output)
  stream.output = larger
}

const fixed = {
  literals: codeOf(
    Uint8Array.from({ length: 288 }, (_, symbol) =>
      symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8,
    ),
  )!,
  distances: codeOf(new Uint8Array(32).fill(5))!,
}
