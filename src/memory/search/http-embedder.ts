import { setTimeout as sleep } from 'node:timers/promises'

import { batches } from '../../core/batches.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Json } from '@contextd/shared/json/value'
import { abortWithin } from '../../platform/abort-within.ts'
import type { Embedder, EmbedOptions } from './embedder.ts'
import { prefixFor } from './text-prefix.ts'
import { unitVector } from './unit-vector.ts'

export interface HttpEmbedderParts {
  /** Of the vectors, with the kind of server before it. */
  readonly id: string
  /** What the server calls it. */
  readonly model: string
  readonly url: URL
  /** Goes along as a bearer, and nowhere else. */
  readonly key?: () => string | undefined
  /** The vectors in an answer, in the order of the texts; undefined where it is none. */
  readonly read: (answer: Json, count: number) => Json[] | undefined
}

/** Texts in one request: few enough for a model that runs on this machine. */
const batchTexts = 32
/** A model sees the first few hundred to thousand tokens; what comes after would only be sent. */
const maxTextLength = 8000
/** For servers that refuse what is beyond their model instead of cutting it: some 512 tokens. */
const shortText = 1500
/** A search goes on without; a text that is to be kept may wait for a model to be loaded. */
const patience = {
  query: { answerMs: 10_000, retryMs: 1000 },
  document: { answerMs: 120_000, retryMs: 10_000 },
}
const answerBytes = 32 << 20

/** A server that is asked for vectors. Its dimension is known from the first answer on, and 0 before. */
export function createHttpEmbedder(parts: HttpEmbedderParts): Embedder {
  let dimension = 0

  async function embedBatch(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    let response = await send(parts, cut(texts, maxTextLength), options)
    const isTooLong = response.status === 400 || response.status === 413
    if (isTooLong && texts.some((text) => text.length > shortText)) {
      await response.body?.cancel()
      response = await send(parts, cut(texts, shortText), options)
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw unavailable(parts.url, statusProblem(response.status))
    }
    const vectors = parts.read(await readAnswer(response, parts.url), texts.length)
    if (vectors?.length !== texts.length) throw unavailable(parts.url, 'it did not answer one vector a text')
    return vectors.map((numbers) => {
      const vector = unitVector(numbers)
      if (vector === undefined) throw unavailable(parts.url, 'it answered something that is no vector')
      if (dimension !== 0 && vector.length !== dimension) {
        throw unavailable(parts.url, `it answered ${vector.length} dimensions, and ${dimension} before`)
      }
      dimension = vector.length
      return vector
    })
  }

  return {
    model: parts.id,
    get dimension() {
      return dimension
    },
    embed: async (texts, options) => {
      const prefix = prefixFor(parts.model, options.as)
      const vectors: Float32Array[] = []
      for (const some of batches(texts, batchTexts)) {
        const batch = some.map((text) => prefix + fill(text))
        vectors.push(...(await within(parts.url, options, () => embedBatch(batch, options))))
      }
      return vectors
    },
  }
}

/** Asks, and where the server is too busy once more after the pause it wishes, unless that is long. */
async function send(
  parts: HttpEmbedderParts,
  texts: readonly string[],
  options: EmbedOptions,
): Promise<Response> {
  const ask = async (): Promise<Response> => {
    const key = parts.key?.()
    return fetch(parts.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      body: JSON.stringify({ model: parts.model, input: texts }),
      // Neither texts nor the key follow a server to another place.
      redirect: 'manual',
      signal: abortWithin(patience[options.as].answerMs, ...(options.signal ? [options.signal] : [])),
    })
  }
  const response = await ask()
  if (response.status !== 429 && response.status !== 503) return response
  const pause = Number(response.headers.get('retry-after') ?? 1) * 1000
  if (!(pause <= patience[options.as].retryMs)) return response
  await response.body?.cancel()
  await sleep(pause, undefined, options.signal && { signal: options.signal })
  return ask()
}

async function readAnswer(response: Response, url: URL): Promise<Json> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > answerBytes) throw unavailable(url, `its answer is longer than ${answerBytes} bytes`)
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as Json
  } catch {
    throw unavailable(url, 'its answer is not JSON')
  }
}

/** Says what went wrong without the words of the server, which may repeat a text or the key. */
async function within<T>(url: URL, { signal }: EmbedOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CodedError) throw error
    signal?.throwIfAborted()
    const { name, cause } = error as { name?: string; cause?: { code?: string } }
    const why =
      name === 'TimeoutError' ? 'it took too long' : `no connection (${cause?.code ?? name ?? 'failed'})`
    throw unavailable(url, why)
  }
}

function statusProblem(status: number): string {
  if (status === 401 || status === 403) return `it refuses the key (${status}); see memory.embedder_key`
  if (status === 404) return 'it has no such address or model (404)'
  if (status >= 300 && status < 400) return `it sends us elsewhere (${status}), where we do not go`
  return `it answered status ${status}`
}

function unavailable(url: URL, why: string): ContextdError {
  return new ContextdError('EMBEDDER_UNAVAILABLE', { problem: `${url.host}: ${why}` })
}

/** Servers refuse a text of nothing. */
function fill(text: string): string {
  return text.trim() === '' ? '.' : text
}

function cut(texts: readonly string[], length: number): string[] {
  return texts.map((text) => text.slice(0, length).toWellFormed())
}
