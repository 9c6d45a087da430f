import { isJsonObject, type Json } from '@contextd/shared/json/value'
import type { Embedder } from './embedder.ts'
import { embedderUrl, type EmbedderServer } from './embedder-server.ts'
import { createHttpEmbedder } from './http-embedder.ts'
import { below } from './server-url.ts'

/** Any server with OpenAI's embeddings API. `url` may end with the version or the full path. */
export function createOpenAiEmbedder({ url, model, key }: EmbedderServer): Embedder {
  const base = embedderUrl(url)
  const at = base.pathname.endsWith('/embeddings')
    ? base
    : below(base, base.pathname === '/' ? '/v1/embeddings' : '/embeddings')
  return createHttpEmbedder({ id: `openai:${model}`, model, url: at, ...(key && { key }), read: readVectors })
}

/** Vectors may come in any order, each with the index of its text. */
function readVectors(answer: Json, count: number): Json[] | undefined {
  if (!isJsonObject(answer) || !Array.isArray(answer.data)) return undefined
  const vectors = new Map<Json | undefined, Json>()
  for (const entry of answer.data) {
    if (isJsonObject(entry) && entry.embedding !== undefined) vectors.set(entry.index, entry.embedding)
  }
  return Array.from({ length: count }, (_, index) => vectors.get(index) ?? null)
}
