/** The ReasoningBank: lessons that agents wrote down, stored verbatim and searchable. */

import type { MemoryScope } from '../../core/memory-scope.ts'
import { ContextdError, shortName } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { matchMemories } from '../../platform/storage/memory-words.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { createHybridSearch } from '../search/hybrid.ts'
import type { VectorIndex } from '../search/vector-index.ts'
import { bankBackfill } from './bank-backfill.ts'
import { bankMaintenance } from './bank-maintenance.ts'
import { bankRead } from './bank-read.ts'
import { bankSearch } from './bank-search.ts'
import { createBankVectors } from './bank-vectors.ts'
import { bankWriters, newMemoryId, type BankParts } from './bank-write.ts'
import type { ConfidenceVerdict } from './confidence.ts'
import { mayRead } from '../memory-access.ts'
import { isId } from './memory-fields.ts'
import type { Memory, NewMemory, MemoryOutcome } from './memory.ts'
import type { MemoryUser, MemoryReach } from '../memory-access.ts'
import { createRowWriter } from './row-writer.ts'
import { bankImport } from './bank-import.ts'

export interface BankOptions {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  /** Must return ids unique within the tenant, with the prefix `mem_`. */
  readonly newId?: () => string
  /** Both or neither; without them, search uses words only. */
  readonly embedder?: Embedder | undefined
  readonly vectors?: VectorIndex | undefined
}

/**
 * Every method throws MEMORY_NOT_FOUND for memories the user may not read, MEMORY_SCOPE_REFUSED if the rules deny a
 * scope, and INVALID_ARGUMENTS for texts that cannot be stored.
 */
export interface Bank {
  /** Stores the memory verbatim; throws MEMORY_NOT_KEPT and stores nothing if it does not read back identically. */
  store(user: MemoryUser, memory: NewMemory, options?: StoreMemoryOptions): Promise<Stored>
  /** Memories that may say the same as this one, most similar first. */
  similar(user: MemoryUser, id: string, limit?: number): Promise<SimilarMemory[]>
  /** In the order requested. Marks them as used unless `isPeek`. */
  get(user: MemoryUser, ids: readonly string[], options?: { isPeek?: boolean }): Memory[]
  search(user: MemoryUser, query: MemoryQuery): Promise<FoundMemories>
  /** Newest first. */
  list(user: MemoryUser, options?: ListOptions): MemoryPage
  /** Changes only the given fields. */
  edit(user: MemoryUser, id: string, changes: MemoryChanges): Promise<Stored>
  /** Permanent. Memories that had been merged into a removed one become visible again. */
  remove(user: MemoryUser, ids: readonly string[]): Promise<Removed>
  /** From now on `into` represents the others in searches and takes over their feedback; all texts stay. */
  merge(user: MemoryUser, into: string, ids: readonly string[]): Memory
  feedback(user: MemoryUser, id: string, feedback: Feedback): ConfidenceChange
  /** Imports memories from another store or an earlier export, with their ids, dates and evidence. All or nothing. */
  importBatch(
    user: MemoryUser,
    memories: readonly Memory[],
    options?: ImportBatchOptions,
  ): Promise<ImportResult>
  /** Memories without a vector of this model, in storage order; for `putVectors`. */
  pending(options: PendingOptions): PendingMemory[]
  /**
   * Skips memories that have changed in the meantime; returns how many vectors were stored. Throws
   * VECTORS_UNAVAILABLE.
   */
  putVectors(vectors: readonly NewVector[], model: string): Promise<number>
}

export interface StoreMemoryOptions {
  /** Stores nothing if aborted. */
  readonly signal?: AbortSignal | undefined
  /** Max time to wait for the embedder. */
  readonly embedMs?: number | undefined
}

export interface Stored {
  readonly memory: Memory
  /** Why it has no vector although it should. */
  readonly note?: string
}

export interface Removed {
  /** Memories that had been merged into the removed ones. */
  readonly restored: readonly string[]
  /** Why their vectors may still exist. */
  readonly note?: string
}

export interface SimilarMemory {
  readonly id: string
  readonly title: string
  /** 0 to 1. */
  readonly similarity: number
}

export interface MemoryQuery {
  readonly text: string
  /** Default: project and user, as far as the rules allow. */
  readonly scope?: MemoryScope | undefined
  readonly outcome?: MemoryOutcome | undefined
  /** Only memories that have all of these. */
  readonly tags?: readonly string[] | undefined
  readonly minConfidence?: number | undefined
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FoundMemories {
  /** Best first. */
  readonly hits: readonly MemoryHit[]
  /** How many memories were compared with the query. */
  readonly considered: number
  /** How many of them each filter excluded. */
  readonly filtered: Readonly<Partial<Record<'outcome' | 'tags' | 'confidence', number>>>
  /** How many more matched beyond the limit. */
  readonly leftOver: number
  /** Why there are no hits. */
  readonly empty?: string
  /** Why only words, or only meaning, were compared. */
  readonly note?: string
}

export interface MemoryHit {
  readonly memory: Memory
  /** 0 to 1, comparable within one result. */
  readonly score: number
  /** How much of the query its words cover, 0 to about 1; absent if they share none. */
  readonly lexical?: number | undefined
  /** Cosine similarity; absent if there is no vector. */
  readonly similarity?: number | undefined
}

export interface ListOptions {
  readonly scope?: MemoryScope | undefined
  /** Only this project's, for callers that may read all. */
  readonly project?: string | undefined
  readonly outcome?: MemoryOutcome | undefined
  readonly tag?: string | undefined
  /** Includes memories merged into others. */
  readonly merged?: boolean | undefined
  readonly limit?: number | undefined
  /** `next` of the previous page. */
  readonly after?: number | undefined
}

export interface MemoryPage {
  readonly memories: readonly Memory[]
  /** Total number on all pages. */
  readonly total: number
  /** Absent on the last page. */
  readonly next?: number
}

export type MemoryChanges = {
  readonly [Field in 'title' | 'description' | 'content' | 'outcome' | 'task' | 'tags' | 'scope']?:
    | NewMemory[Field]
    | undefined
}

export interface Feedback extends ConfidenceVerdict {
  readonly comment?: string | undefined
}

export interface ConfidenceChange {
  readonly before: number
  readonly after: number
}

export interface ImportBatchOptions {
  /** Overwrites existing memories that differ. */
  readonly replace?: boolean
  /** Only reports what would happen. */
  readonly dryRun?: boolean
}

export interface ImportResult {
  readonly added: readonly string[]
  readonly replaced: readonly string[]
  /** Already stored with the same content. */
  readonly same: readonly string[]
  /** Already stored with different content, and left unchanged because `replace` was not set. */
  readonly different: readonly string[]
  readonly note?: string
}

export interface PendingOptions {
  readonly model: string
  /** `row` of the last one seen. */
  readonly after?: number
  readonly limit: number
}

export interface PendingMemory {
  readonly row: number
  /** The text its vector is computed from. */
  readonly text: string
}

export interface NewVector extends PendingMemory {
  readonly vector: Float32Array
}

export function createBank({
  store,
  tenant,
  clock,
  newId = newMemoryId,
  embedder,
  vectors: index,
}: BankOptions): Bank {
  const rowOf = (reach: MemoryReach, id: string): SqlRow => {
    const row = isId(id) ? store.rows('memories', { tenant }).first({ id }) : undefined
    // Unreadable memories are indistinguishable from ones that never existed.
    if (row === undefined || !mayRead(row, reach))
      throw new ContextdError('MEMORY_NOT_FOUND', { id: shortName(id) })
    return row
  }
  const vectors = createBankVectors({ store, tenant, embedder, index })
  const writer = createRowWriter(store, tenant)
  const parts: BankParts = { store, tenant, clock, newId, vectors, writer, rowOf }
  const hybrid = createHybridSearch({
    lexical: (expression, options) => matchMemories(store, { tenant, expression, ...options }),
    ...(embedder !== undefined && index !== undefined && { embedder, vectors: index }),
  })
  return {
    ...bankWriters(parts),
    ...bankRead(parts),
    ...bankMaintenance(parts),
    ...bankBackfill(parts),
    ...bankSearch({ store, tenant, hybrid, rowOf }),
    importBatch: bankImport(parts),
  }
}
