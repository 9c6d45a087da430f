/** What semantic search needs: the embedder and the vectors that the configuration names. Opened on first use. */

import { LOCAL_TENANT } from '../../core/call.ts'
import type { Embedder } from '../../memory/search/embedder.ts'
import type { VectorIndex, VectorKind } from '../../memory/search/vector-index.ts'
import type { Config } from '../../platform/config/config-schema.ts'
import type { Log } from '../../platform/log.ts'
import type { Store } from '../../platform/storage/store.ts'

export interface SemanticParts {
  readonly config: Config
  readonly store: Store
  /** The value of a secret that the user set by name. */
  readonly secret: (name: string) => string | undefined
  readonly log: Log
}

export interface OpenSemantics {
  /** Undefined if it is off. */
  embedder(): Promise<Embedder | undefined>
  /** Empty if the embedder is off. */
  forKind(kind: VectorKind): Promise<{ readonly embedder?: Embedder; readonly vectors?: VectorIndex }>
}

export function openSemantics({ config, store, secret, log }: SemanticParts): OpenSemantics {
  const keyNamed = (name: string): string | undefined => (name === '' ? undefined : secret(name))

  /** Search falls back to keywords; missing vectors can be added later. */
  const fallBackToWords = (cause: unknown): Error => {
    log('warn', 'memory is searched by words only', { cause: String(cause) })
    return cause instanceof Error ? cause : new Error(String(cause))
  }

  const embedder = openOnce(async (): Promise<Embedder | undefined> => {
    const { openEmbedder } = await import('../../memory/search/open-embedder.ts')
    const { embedder: kind, embedder_url: url, embedder_model: model, embedder_file: file } = config.memory
    const key = (): string | undefined => keyNamed(config.memory.embedder_key)
    return openEmbedder({ kind, url, model, file, key }).catch(async (error: unknown) => {
      const { unavailableEmbedder } = await import('../../memory/search/unavailable.ts')
      return unavailableEmbedder(fallBackToWords(error))
    })
  })

  const vectors = async (kind: VectorKind): Promise<VectorIndex> => {
    const { openVectors } = await import('../../memory/search/open-vectors.ts')
    const { vectors: driver, qdrant_url: url, qdrant_key: key } = config.memory
    const settings = { kind: driver, url, key: () => keyNamed(key) }
    return openVectors({ store, tenant: LOCAL_TENANT, kind, settings }).catch(async (error: unknown) => {
      const { unavailableVectors } = await import('../../memory/search/unavailable.ts')
      return unavailableVectors(fallBackToWords(error))
    })
  }

  return {
    embedder,
    async forKind(kind) {
      const known = await embedder()
      return known === undefined ? {} : { embedder: known, vectors: await vectors(kind) }
    },
  }
}

/** Concurrent callers share the result, and a failed attempt is retried by the next caller. */
export function openOnce<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined
  return () =>
    (opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    }))
}
