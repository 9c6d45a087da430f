import { isJsonObject } from '@contextd/shared/json/value'
import type { Embedder } from './embedder.ts'
import { embedderUrl, type EmbedderServer } from './embedder-server.ts'
import { createHttpEmbedder } from './http-embedder.ts'
import { below } from './server-url.ts'

export function createOllamaEmbedder({ url, model, key }: EmbedderServer): Embedder {
  return createHttpEmbedder({
    id: `ollama:${model}`,
    model,
    url: below(embedderUrl(url), '/api/embed'),
    ...(key && { key }),
    read: (answer) =>
      isJsonObject(answer) && Array.isArray(answer.embeddings) ? answer.embeddings : undefined,
  })
}
