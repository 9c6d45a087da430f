/** Bytes that come in chunks. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>

/** At least so many of the first bytes, or all there are, and a way to read everything from the beginning. */
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

export async function* iterate(chunks: Chunks): AsyncGenerator<Uint8Array, void> {
  yield* chunks
}
