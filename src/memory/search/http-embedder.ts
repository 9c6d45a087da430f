import { setTimeout as sleep } from 'node:timers/promises'

import { batches } from '../../core/batches.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Json } from '@contextd/shared/json/value'
import { abortWithin } from '../../platform/abort-within.ts'
import type { Embedder, EmbedOptions } from './embedder.ts'
import { unitVector } from './unit-vector.ts'

export interface HttpEmbedderParts {
  /** Model id of the vectors, prefixed with the kind of server. */
  readonly id: string
  /** The server's name for the model. */
  readonly model: string
  readonly url: URL
  /** Sent only as bearer token. */
  readonly key?: () => string | undefined
  /** The vectors in a response, in the order of the texts; undefined if it is malformed. */
  readonly read: (answer: Json, count: number) => Json[] | undefined
}

/** Texts per request: few enough for a model running on this machine. */
const batchTexts = 32
/** Models read only the first few hundred to thousand tokens. */
const maxTextLength = 8000
/** For servers that reject longer texts instead of truncating them: about 512 tokens. */
const shortTextLength = 1500
/** A search continues without the embedder; a text to be stored may wait until a model is loaded. */
const timeouts = {
  query: { responseMs: 10_000, retryMs: 1000 },
  document: { responseMs: 120_000, retryMs: 10_000 },
}
const maxResponseBytes = 32 << 20

/** An embedder behind an HTTP server. Its dimension is known after the first response, and 0 before. */
export function createHttpEmbedder(parts: HttpEmbedderParts): Embedder {
  let dimension = 0

  async function embedBatch(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]> {
    let response = await send(parts, truncate(texts, maxTextLength), options)
    const isTooLong = response.status === 400 || response.status === 413
    if (isTooLong && texts.some((text) => text.length > shortTextLength)) {
      await response.body?.cancel()
      response = await send(parts, truncate(texts, shortTextLength), options)
    }
    if (!response.ok) {
      await response.body?.cancel()
      throw unavailable(parts.url, statusProblem(response.status))
    }
    const vectors = parts.read(await readResponse(response, parts.url), texts.length)
    if (vectors?.length !== texts.length)
      throw unavailable(parts.url, 'it did not return one vector per text')
    return vectors.map((numbers) => {
      const vector = unitVector(numbers)
      if (vector === undefined) throw unavailable(parts.url, 'it returned an invalid vector')
      if (dimension !== 0 && vector.length !== dimension) {
        throw unavailable(parts.url, `it returned ${vector.length} dimensions, but ${dimension} before`)
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
        const batch = some.map((text) => prefix + nonEmpty(text))
        vectors.push(...(await withReadableErrors(parts.url, options, () => embedBatch(batch, options))))
      }
      return vectors
    },
  }
}

/** Retries once if the server is too busy, after the requested pause unless that is too long. */
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
      // Neither texts nor the key may follow a redirect.
      redirect: 'manual',
      signal: abortWithin(timeouts[options.as].responseMs, ...(options.signal ? [options.signal] : [])),
    })
  }
  const response = await ask()
  if (response.status !== 429 && response.status !== 503) return response
  const pause = Number(response.headers.get('retry-after') ?? 1) * 1000
  if (!(pause <= timeouts[options.as].retryMs)) return response
  await response.body?.cancel()
  await sleep(pause, undefined, options.signal && { signal: options.signal })
  return ask()
}

async function readResponse(response: Response, url: URL): Promise<Json> {
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.byteLength
    if (bytes > maxResponseBytes)
      throw unavailable(url, `its response is larger than ${maxResponseBytes} bytes`)
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString()) as Json
  } catch {
    throw unavailable(url, 'its response is not JSON')
  }
}

/** Reports failures without the server's own words, which may repeat a text or the key. */
async function withReadableErrors<T>(url: URL, { signal }: EmbedOptions, work: () => Promise<T>): Promise<T> {
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
  if (status === 404) return 'it does not know this path or model (404)'
  if (status >= 300 && status < 400) return `it redirects (${status}), which is not followed`
  return `it responded with status ${status}`
}

function unavailable(url: URL, why: string): ContextdError {
  return new ContextdError('EMBEDDER_UNAVAILABLE', { problem: `${url.host}: ${why}` })
}

/** Servers reject empty texts. */
function nonEmpty(text: string): string {
  return text.trim() === '' ? '.' : text
}

function truncate(texts: readonly string[], length: number): string[] {
  return texts.map((text) => text.slice(0, length).toWellFormed())
}

/** Prefixes that the authors of some models require, by model name; without them, results are worse. */
const prefixes: readonly { readonly model: RegExp; readonly query: string; readonly document: string }[] = [
  { model: /nomic-embed/, query: 'search_query: ', document: 'search_document: ' },
  { model: /(?:^|[/-])e5-(?!mistral)/, query: 'query: ', document: 'passage: ' },
  {
    model: /mxbai-embed|bge-(?:small|base|large)-en/,
    query: 'Represent this sentence for searching relevant passages: ',
    document: '',
  },
]

export function prefixFor(model: string, as: EmbedOptions['as']): string {
  return prefixes.find((one) => one.model.test(model.toLowerCase()))?.[as] ?? ''
}
