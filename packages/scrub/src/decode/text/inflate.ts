/**
 * Unpacks deflate streams (RFC 1951) in small and bounded steps. The one of `node:zlib` takes a new engine for each
 * stream and throws for what is none, which is far too slow where every second hash has to be looked at.
 */

/** What was unpacked, how many bytes of the stream that took, and how it ended. */
export interface Inflated {
  readonly content: Uint8Array
  readonly used: number
  /** `cut`: the stream or the room for what it holds ended first. `broken`: from there on it is no stream. */
  readonly status: 'ended' | 'cut' | 'broken'
}

const windowSize = 0x8000
const lengthBases = [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115]
lengthBases.push(131, 163, 195, 227, 258)
const lengthBits = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
const distanceBits = Array.from({ length: 30 }, (_, code) => Math.max(0, (code >> 1) - 1))
const distanceBases = distanceBits.map((bits, code) =>
  code < 4 ? code + 1 : (2 + (code & 1)) * 2 ** bits + 1,
)
/** The order in which the lengths of the code for code lengths are sent. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]
const endOfBlock = 256
const maxCodeLength = 15
/** Codes up to this length are looked up at once. */
const quickBits = 9

/** A Huffman code. */
interface Code {
  /** For the next bits, the symbol and its length in one number; 0 for longer codes. */
  readonly quick: Uint16Array
  /** How many codes there are of each length, and their symbols in order. */
  readonly counts: Uint16Array
  readonly symbols: Uint16Array
}

/** Where a stream is read, and what came out of it so far. */
interface Stream {
  readonly bytes: Uint8Array
  at: number
  held: number
  bits: number
  output: Uint8Array
  length: number
  readonly most: number
}

/** In place of a number that was to be read. */
const cut = -1
const broken = -2

export function inflate(bytes: Uint8Array, from: number, most: number): Inflated {
  const stream: Stream = {
    bytes,
    at: from,
    held: 0,
    bits: 0,
    output: new Uint8Array(Math.min(most, 256)),
    length: 0,
    most,
  }
  let status = 0
  for (let isLast = 0; isLast === 0 && status === 0;) {
    isLast = take(stream, 1)
    const type = take(stream, 2)
    if (isLast < 0 || type < 0) status = cut
    else if (type === 0) status = copyStored(stream)
    else if (type === 3) status = broken
    else status = type === 1 ? unpack(stream, fixed.literals, fixed.distances) : unpackDynamic(stream)
  }
  return {
    content: stream.output.subarray(0, stream.length),
    used: stream.at - (stream.bits >> 3),
    status: status === 0 ? 'ended' : status === cut ? 'cut' : 'broken',
  }
}

/** The next bits as a number, or -1 where the stream has no more. */
function take(stream: Stream, count: number): number {
  while (stream.bits < count) {
    if (stream.at >= stream.bytes.length) return cut
    stream.held |= stream.bytes[stream.at++]! << stream.bits
    stream.bits += 8
  }
  const value = stream.held & ((1 << count) - 1)
  stream.held >>>= count
  stream.bits -= count
  return value
}

function copyStored(stream: Stream): number {
  stream.at -= stream.bits >> 3
  stream.bits = 0
  stream.held = 0
  const length = take(stream, 16)
  const check = take(stream, 16)
  if (length < 0 || check < 0) return cut
  if ((length ^ check) !== 0xffff) return broken
  const end = Math.min(stream.at + length, stream.bytes.length)
  const fits = Math.min(end - stream.at, stream.most - stream.length)
  makeRoom(stream, fits)
  stream.output.set(stream.bytes.subarray(stream.at, stream.at + fits), stream.length)
  stream.length += fits
  stream.at += fits
  return fits === length ? 0 : cut
}

function unpackDynamic(stream: Stream): number {
  const literals = take(stream, 5) + 257
  const distances = take(stream, 5) + 1
  const count = take(stream, 4) + 4
  if (count < 4) return cut
  if (literals > 286 || distances > 30) return broken
  const lengths = new Uint8Array(320)
  for (let i = 0; i < count; i++) {
    const length = take(stream, 3)
    if (length < 0) return cut
    lengths[lengthOrder[i]!] = length
  }
  const lengthCode = codeOf(lengths.subarray(0, 19))
  if (lengthCode === undefined) return broken
  lengths.fill(0)
  for (let at = 0; at < literals + distances;) {
    const symbol = nextSymbol(stream, lengthCode)
    if (symbol < 0) return symbol
    if (symbol < 16) {
      lengths[at++] = symbol
      continue
    }
    const more =
      symbol === 16 ? take(stream, 2) + 3 : symbol === 17 ? take(stream, 3) + 3 : take(stream, 7) + 11
    const repeats = symbol === 16 ? 3 : symbol === 17 ? 3 : 11
    if (more < repeats) return cut
    if (at + more > literals + distances || (symbol === 16 && at === 0)) return broken
    lengths.fill(symbol === 16 ? lengths[at - 1]! : 0, at, at + more)
    at += more
  }
  const literalCode = codeOf(lengths.subarray(0, literals))
  const distanceCode = codeOf(lengths.subarray(literals, literals + distances))
  if (literalCode === undefined || distanceCode === undefined || lengths[endOfBlock] === 0) return broken
  return unpack(stream, literalCode, distanceCode)
}

/** One block: literals, and repetitions of what came before. */
function unpack(stream: Stream, literals: Code, distances: Code): number {
  for (;;) {
    const symbol = nextSymbol(stream, literals)
    if (symbol === endOfBlock) return 0
    if (symbol < 0) return symbol
    if (stream.length >= stream.most) return cut
    if (symbol < endOfBlock) {
      makeRoom(stream, 1)
      stream.output[stream.length++] = symbol
      continue
    }
    const bits = lengthBits[symbol - 257]
    if (bits === undefined) return broken
    const extra = take(stream, bits)
    const distanceSymbol = nextSymbol(stream, distances)
    if (extra < 0 || distanceSymbol < 0) return extra < 0 ? cut : distanceSymbol
    if (distanceSymbol > 29) return broken
    const further = take(stream, distanceBits[distanceSymbol]!)
    if (further < 0) return cut
    const distance = distanceBases[distanceSymbol]! + further
    if (distance > stream.length || distance > windowSize) return broken
    const length = Math.min(lengthBases[symbol - 257]! + extra, stream.most - stream.length)
    makeRoom(stream, length)
    // Byte by byte: a repetition may overlap what it repeats.
    for (let end = stream.length + length; stream.length < end; stream.length++) {
      stream.output[stream.length] = stream.output[stream.length - distance]!
    }
  }
}

function nextSymbol(stream: Stream, code: Code): number {
  // The last code of a stream may be shorter than what is looked up, and is found bit by bit then.
  while (stream.bits < quickBits && stream.at < stream.bytes.length) {
    stream.held |= stream.bytes[stream.at++]! << stream.bits
    stream.bits += 8
  }
  const found = code.quick[stream.held & ((1 << quickBits) - 1)]!
  const length = found & 0xf
  if (length > 0 && length <= stream.bits) {
    stream.held >>>= length
    stream.bits -= length
    return found >> 4
  }
  return longSymbol(stream, code)
}

/** Codes of one length are consecutive numbers, and begin where those one bit shorter ended, doubled. */
function longSymbol(stream: Stream, code: Code): number {
  let value = 0
  let first = 0
  let index = 0
  for (let length = 1; length <= maxCodeLength; length++) {
    const bit = take(stream, 1)
    if (bit < 0) return cut
    value = (value << 1) | bit
    const count = code.counts[length]!
    if (value - first < count) return code.symbols[index + value - first]!
    index += count
    first = (first + count) << 1
  }
  return broken
}

/** The code with these lengths; nothing where they do not add up. Only one of a single symbol may be incomplete. */
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
  const quick = new Uint16Array(1 << quickBits)
  let index = 0
  let value = 0
  for (let length = 1; length <= maxCodeLength; length++, value <<= 1) {
    if (counts[length] === 0) continue
    for (let symbol = 0; symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue
      symbols[index++] = symbol
      if (length <= quickBits) {
        const entry = (symbol << 4) | length
        for (let at = reversed(value, length); at < quick.length; at += 1 << length) quick[at] = entry
      }
      value++
    }
  }
  return { quick, counts, symbols }
}

/** Codes are packed with their first bit lowest. */
function reversed(value: number, length: number): number {
  let result = 0
  for (let i = 0; i < length; i++) result |= ((value >> i) & 1) << (length - 1 - i)
  return result
}

function makeRoom(stream: Stream, more: number): void {
  if (stream.length + more <= stream.output.length) return
  const larger = new Uint8Array(
    Math.min(stream.most, Math.max(stream.output.length * 2, stream.length + more)),
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
