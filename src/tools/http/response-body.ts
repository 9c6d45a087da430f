import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib'

export interface Body {
  readonly body: Buffer
  /** There was more than may be read. */
  readonly truncated: boolean
  /** Still as the server packed it, because we cannot unpack it. */
  readonly packed: boolean
}

/** What we can unpack, as `Accept-Encoding` says it. */
export const acceptedEncodings = 'gzip, br'

/**
 * Reads at most `limit` bytes, counted as they come over the wire and again as they come out of the unpacking: a small
 * answer may unpack to a huge one, and an endless one to nothing.
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
  // Its error reaches whoever reads from the unpacker.
  pipeline(bytes, unpacker, () => {})
  const body = await collect(upTo(unpacker, unpacked))
  return { body, truncated: wire.truncated || unpacked.truncated, packed }
}

function unpackerFor(encoding: string | undefined): Transform | undefined {
  switch ((encoding ?? '').trim().toLowerCase()) {
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      // What was cut off in the middle is still worth reading.
      return createUnzip({ finishFlush: constants.Z_SYNC_FLUSH })
    case 'br':
      return createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })
    default:
      return undefined
  }
}

/** Ends, and ends its source, when the limit is passed. */
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
