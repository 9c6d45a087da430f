import type { Store } from '../../platform/storage/store.ts'
import type { VectorIndex, VectorKind } from './vector-index.ts'

export interface VectorSettings {
  readonly kind: 'sqlite' | 'qdrant'
  /** Address of Qdrant. */
  readonly url: string
  readonly key?: () => string | undefined
}

export interface VectorParts {
  readonly store: Store
  readonly tenant: string
  readonly kind: VectorKind
  readonly settings: VectorSettings
}

/** Throws VECTORS_UNAVAILABLE; a Qdrant that is down shows only when it is asked. Each driver is loaded only where it is used. */
export async function openVectors({ store, tenant, kind, settings }: VectorParts): Promise<VectorIndex> {
  if (settings.kind === 'sqlite') {
    return (await import('./sqlite-vectors.ts')).createSqliteVectors({ store, tenant, kind })
  }
  const { openQdrantVectors } = await import('./qdrant-vectors.ts')
  return openQdrantVectors({ ...settings, store, tenant, kind })
}
