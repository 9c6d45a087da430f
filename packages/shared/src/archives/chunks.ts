/** Bytes that arrive in chunks. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** The first `length` bytes or more (fewer if there are not as many), and an iterable over everything from the start. */
export async function peek(
  chunks: Chunks,
  length: number,
): Promise<{ readonly head: Buffer; readonly all: AsyncIterable<Uint8Array> }> {
  const iterator = iterate(chunks)
  const parts: Uint8Array[] = []
  let found = 0
  while (found < length) {
    const { done, value } = await iterator.next()
    if (done === true) break
    parts.push(value)
    found += value.length
  }
  const head = Buffer.concat(parts)
  return { head, all: headFirst(head, iterator) }
}

async function* headFirst(
  head: Uint8Array,
  rest: AsyncGenerator<Uint8Array, void>,
): AsyncGenerator<Uint8Array, void> {
  if (head.length > 0) yield head
  yield* rest
}

async function* iterate(chunks: Chunks): AsyncGenerator<Uint8Array, void> {
  yield* chunks
}

export interface ChunkReader {
  /** The next bytes, at most `max`; empty at the end. */
  next(max: number): Promise<Uint8Array>
  /** Exactly `length` bytes, fewer only at the end. */
  read(length: number): Promise<Buffer>
  skip(length: number): Promise<void>
}

export function createChunkReader(chunks: Chunks): ChunkReader {
  const iterator = iterate(chunks)
  let pending: Uint8Array = new Uint8Array(0)
  const next = async (max: number): Promise<Uint8Array> => {
    while (pending.length === 0) {
      const { done, value } = await iterator.next()
      if (done === true) return pending
      pending = value
    }
    const taken = pending.subarray(0, max)
    pending = pending.subarray(taken.length)
    return taken
  }
  return {
    next,
    async read(length) {
      const parts: Uint8Array[] = []
      for (let left = length; left > 0;) {
        const part = await next(left)
        if (part.length === 0) break
        parts.push(part)
        left -= part.length
      }
      return Buffer.concat(parts)
    },
    async skip(length) {
      for (let left = length; left > 0;) {
        const part = await next(left)
        if (part.length === 0) return
        left -= part.length
      }
    },
  }
}
