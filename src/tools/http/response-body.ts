import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib'

export interface Body {
  readonly body: Buffer
  /** The body was longer than the limit. */
  readonly truncated: boolean
  /** The body is still compressed, because the encoding is not supported. */
  readonly packed: boolean
}

/** The supported encodings, for `Accept-Encoding`. */
export const acceptedEncodings = 'gzip, br'

/**
 * Reads at most `limit` bytes, counted both compressed and decompressed: a small response may expand to a huge one, and
 * an endless one to nothing.
 */
export async function readResponseBody(
  stream: Readable,
  encoding: string | undefined,
  limit: number,
): Promise<Body> {
  const unpacker = unpackerFor(encoding)
  const packed = unpacker === undefined && encoding !== undefined && encoding !== 'identity'
  const wire = { limit, truncated: false }
  const bytes = upTo(stream, wire)
  if (unpacker === undefined) return { body: await collect(bytes), truncated: wire.truncated, packed }
  const unpacked = { limit, truncated: false }
  // Its error is raised in the reader of the decompressor.
  pipeline(bytes, unpacker, () => {})
  const body = await collect(upTo(unpacker, unpacked))
  return { body, truncated: wire.truncated || unpacked.truncated, packed }
}

function unpackerFor(encoding: string | undefined): Transform | undefined {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      // A truncated stream is still worth reading.
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      return undefined
  }
}

/** Ends, and ends its source, when the limit is exceeded. */
async function* upTo(
  source: Readable,
  count: { limit: number; truncated: boolean },
): AsyncGenerator<Buffer, void, void> {
  let left = count.limit
  for await (const chunk of source as AsyncIterable<Buffer>) {
    if (chunk.length > left) {
      count.truncated = true
      yield chunk.subarray(0, left)
      return
    }
    left -= chunk.length
    yield chunk
  }
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}
