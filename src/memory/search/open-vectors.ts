import type { Store } from '../../platform/storage/store.ts'
import type { VectorIndex, VectorKind } from './vector-index.ts'

export interface VectorSettings {
  readonly kind: 'sqlite' | 'qdrant'
  /** URL of Qdrant. */
  readonly url: string
  readonly key?: () => string | undefined
}

export interface VectorParts {
  readonly store: Store
  readonly tenant: string
  readonly kind: VectorKind
  readonly settings: VectorSettings
}

/** Throws VECTORS_UNAVAILABLE; an unreachable Qdrant is only noticed on first use. Each driver is loaded on demand. */
export async function openVectors({ store, tenant, kind, settings }: VectorParts): Promise<VectorIndex> {
  if (settings.kind === 'sqlite') {
    return (await import('./sqlite-vectors.ts')).createSqliteVectors({ store, tenant, kind })
  }
  const { openQdrantVectors } = await import('./qdrant-vectors.ts')
  return openQdrantVectors({ ...settings, store, tenant, kind })
}
