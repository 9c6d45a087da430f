import { createHash } from 'node:crypto'

/** One vector per word, as bytes with a scale factor, which includes the weight of the word. */
export interface EmbeddingTable {
  readonly model: string
  readonly dimension: number
  /** The rest of longer texts is ignored. */
  readonly maxTokens: number
  readonly rows: ReadonlyMap<string, number>
  readonly scales: Float32Array
  readonly vectors: Int8Array
}

interface Header {
  readonly model: string
  readonly dimension: number
  readonly words: number
  readonly wordBytes: number
  readonly maxTokens: number
  readonly sha256: string
}

/** The last character is the format version. */
const magic = 'CTXDTAB1'

/** Reads what `scripts/embedder/table.py` wrote. Throws an Error that describes what is wrong with it. */
export function readEmbeddingTable(file: Buffer): EmbeddingTable {
  if (file.toString('latin1', 0, magic.length) !== magic) throw new Error('it is not a table of this version')
  const start = magic.length + 4
  const bodyStart = start + (file.length < start ? 0 : file.readUInt32LE(magic.length))
  const body = file.subarray(bodyStart)
  const header = parseHeader(file.toString('utf8', start, bodyStart))
  if (createHash('sha256').update(body).digest('hex') !== header.sha256)
    throw new Error('its checksum is wrong')
  const { model, dimension, words, wordBytes, maxTokens } = header
  const scalesEnd = wordBytes + 4 * words
  if (!(dimension > 0) || scalesEnd + words * dimension !== body.length)
    throw new Error('its sizes are wrong')
  return {
    model,
    dimension,
    maxTokens,
    rows: new Map(
      body
        .toString('latin1', 0, wordBytes)
        .trimEnd()
        .split('\n')
        .map((word, row) => [word, row]),
    ),
    scales: Float32Array.from({ length: words }, (_, row) => body.readFloatLE(wordBytes + 4 * row)),
    vectors: new Int8Array(body.buffer, body.byteOffset + scalesEnd, words * dimension),
  }
}

function parseHeader(text: string): Header {
  try {
    return JSON.parse(text) as Header
  } catch {
    throw new Error('its header is damaged')
  }
}
