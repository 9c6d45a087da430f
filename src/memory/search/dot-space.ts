/**
 * Dot products of one vector with many, over contiguous bytes. V8 does not vectorize JavaScript loops, which take ten
 * times as long; WebAssembly has vector instructions. If it is unavailable, a plain loop computes the same.
 */
export interface DotSpace {
  /** Replaced by `reserve`. */
  readonly buffer: ArrayBuffer
  /** Grows the buffer to at least that size, preserving its content. */
  reserve(bytes: number): void
  /**
   * Writes to `out` (int32) the products of the query (int16) with each vector (int8) in the range `from` to `to`
   * (exclusive).
   */
  dots(area: DotArea): void
}

/** Addresses in the buffer, each a multiple of 16. */
export interface DotArea {
  readonly from: number
  readonly to: number
  readonly query: number
  /** Bytes per vector: a multiple of 16. */
  readonly width: number
  readonly out: number
}

const pageBytes = 65_536

export function createDotSpace(): DotSpace {
  try {
    return wasmSpace()
  } catch {
    // Started with --jitless, without vector instructions, or with too little address space.
    return plainSpace()
  }
}

/** The part of WebAssembly that we use; Node's types do not declare it. */
interface Wasm {
  readonly Memory: new (pages: { initial: number }) => {
    readonly buffer: ArrayBuffer
    grow(pages: number): number
  }
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (
    module: object,
    imports: object,
  ) => { readonly exports: { readonly f: DotFunction } }
}

type DotFunction = (from: number, to: number, query: number, width: number, out: number) => void

function wasmSpace(): DotSpace {
  const { Memory, Module, Instance } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly
  const memory = new Memory({ initial: 1 })
  const run = new Instance(new Module(dotModule()), { m: { m: memory } }).exports.f
  return {
    get buffer() {
      return memory.buffer
    },
    reserve: (bytes) => {
      const missing = bytes - memory.buffer.byteLength
      if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
    },
    dots: ({ from, to, query, width, out }) => {
      if (from < to) run(from, to, query, width, out)
    },
  }
}

export function plainSpace(): DotSpace {
  let buffer = new ArrayBuffer(pageBytes)
  return {
    get buffer() {
      return buffer
    },
    reserve: (bytes) => {
      if (bytes <= buffer.byteLength) return
      const larger = new Uint8Array(bytes)
      larger.set(new Uint8Array(buffer))
      buffer = larger.buffer
    },
    dots: ({ from, to, query, width, out }) => {
      const vectors = new Int8Array(buffer)
      const queryNumbers = new Int16Array(buffer, query, width)
      const products = new Int32Array(buffer, out, (to - from) / width)
      for (let index = 0, at = from; at < to; index++) {
        let sum = 0
        for (let i = 0; i < width; i++, at++) sum = (sum + (vectors[at] ?? 0) * (queryNumbers[i] ?? 0)) | 0
        products[index] = sum
      }
    },
  }
}

const i32 = 0x7f
const v128 = 0x7b

/** The module in WebAssembly's binary format: one function over an imported memory. */
function dotModule(): Uint8Array<ArrayBuffer> {
  const body = [[2, 2, i32, 1, v128], dotCode()].flat()
  const name = (letter: string): number[] => [1, letter.charCodeAt(0)]
  const section = (id: number, ...content: readonly number[][]): number[] => {
    const bytes = content.flat()
    return [id, ...size(bytes.length), ...bytes]
  }
  return Uint8Array.from(
    [
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [1, 0x60, 5, i32, i32, i32, i32, i32, 0]),
      section(2, [1], name('m'), name('m'), [2, 0, 1]),
      section(3, [1, 0]),
      section(7, [1], name('f'), [0, 0]),
      section(10, [1], size(body.length), body),
    ].flat(),
  )
}

/** Its instructions: for each vector, the sums of the products in four lanes, which are then added up. */
function dotCode(): number[] {
  const [from, to, query, width, out, lane, rowEnd, sum] = [0, 1, 2, 3, 4, 5, 6, 7] as const
  const get = (local: number): number[] => [0x20, local]
  const set = (local: number): number[] => [0x21, local]
  const add = [0x6a]
  const loop = [0x03, 0x40]
  const end = [0x0b]
  const loadWide = (offset: number): number[] => [0xfd, 0x00, 4, offset]
  const loadBytesAsWide = (offset: number): number[] => [0xfd, 0x01, 3, offset]
  const multiplyPairs = [0xfd, 0xba, 0x01]
  const addLanes = [0xfd, 0xae, 0x01]
  const zeroLanes = [0xfd, 0x0c, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  const sumLane = (index: number): number[] => [get(sum), [0xfd, 0x1b, index]].flat()
  const storeNumber = [0x36, 2, 0]
  const step = (local: number, by: number): number[] => [get(local), [0x41, by], add, set(local)].flat()
  const againWhileLess = (one: number, other: number): number[] =>
    [get(one), get(other), [0x49, 0x0d, 0]].flat()
  /** sum += eight products: bytes at `from + offset` times int16 at `lane + 2 × offset`. */
  const eight = (offset: number): number[] => {
    const numbers = [get(from), loadBytesAsWide(offset), get(lane), loadWide(2 * offset)].flat()
    return [get(sum), numbers, multiplyPairs, addLanes, set(sum)].flat()
  }
  const eachVector = [zeroLanes, set(sum), get(query), set(lane), get(from), get(width), add, set(rowEnd)]
  const sixteen = [
    loop,
    eight(0),
    eight(8),
    step(from, 16),
    step(lane, 32),
    againWhileLess(from, rowEnd),
    end,
  ]
  const total = [sumLane(0), sumLane(1), add, sumLane(2), add, sumLane(3), add]
  return [
    loop,
    ...eachVector,
    ...sixteen,
    get(out),
    ...total,
    storeNumber,
    step(out, 4),
    againWhileLess(from, to),
    end,
    end,
  ].flat()
}

/** A length in the format's variable-length encoding. */
function size(length: number): number[] {
  return length < 128 ? [length] : [(length & 127) | 128, length >> 7]
}
