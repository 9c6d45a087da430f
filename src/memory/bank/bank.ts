/** The ReasoningBank: what agents learned, kept in their words and found again. */

import type { MemoryScope } from '../../core/memory-scope.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Clock } from '../../core/ports.ts'
import { matchMemories } from '../../platform/storage/memory-words.ts'
import type { SqlRow } from '../../platform/storage/sqlite.ts'
import type { Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { createHybridSearch } from '../search/hybrid.ts'
import type { VectorIndex } from '../search/vector-index.ts'
import { bankCare } from './bank-care.ts'
import { bankSearch } from './bank-search.ts'
import { createBankVectors } from './bank-vectors.ts'
import { bankWriters, newMemoryId, type BankParts } from './bank-write.ts'
import type { ConfidenceVerdict } from './confidence.ts'
import { mayRead } from '../memory-access.ts'
import { isId } from './memory-fields.ts'
import type { Memory, NewMemory, MemoryOutcome } from './memory.ts'
import type { MemoryUser, MemoryReach } from '../memory-access.ts'
import { createRowWriter } from './row-writer.ts'
import { bankTakeIn } from './take-in.ts'

export interface BankOptions {
  readonly store: Store
  readonly tenant: string
  readonly clock: Clock
  /** `mem_` and something that no other memory of the tenant has. */
  readonly newId?: () => string
  /** Both or neither; without them everything goes by words. */
  readonly embedder?: Embedder | undefined
  readonly vectors?: VectorIndex | undefined
}

/**
 * Every method throws MEMORY_NOT_FOUND for what the user may not read, MEMORY_SCOPE_REFUSED where the rules do not let
 * them into a scope, and INVALID_ARGUMENTS for texts that cannot be kept.
 */
export interface Bank {
  /** Kept as it was said, once it reads back so; MEMORY_NOT_KEPT otherwise, and nothing is. */
  store(user: MemoryUser, memory: NewMemory, options?: StoreMemoryOptions): Promise<Stored>
  /** Memories that may say the same as this one, the most alike first. */
  similar(user: MemoryUser, id: string, limit?: number): Promise<SimilarMemory[]>
  /** In the order asked for. They count as used now, unless somebody only looks at them. */
  get(user: MemoryUser, ids: readonly string[], options?: { looksOnly?: boolean }): Memory[]
  search(user: MemoryUser, query: MemoryQuery): Promise<FoundMemories>
  /** The newest first. */
  list(user: MemoryUser, options?: ListOptions): MemoryPage
  /** Changes what is named and leaves the rest. */
  edit(user: MemoryUser, id: string, changes: MemoryChanges): Promise<Stored>
  /** For good. What had been merged into one of them comes back. */
  remove(user: MemoryUser, ids: readonly string[]): Promise<Removed>
  /** `into` answers for the others in searches from now on, and has their feedback; all keep their words. */
  merge(user: MemoryUser, into: string, ids: readonly string[]): Memory
  feedback(user: MemoryUser, id: string, feedback: Feedback): ConfidenceMove
  /** Memories of another store, or of this one at another time: with the ids, dates and evidence they have. All or none. */
  takeIn(user: MemoryUser, memories: readonly Memory[], options?: TakeInOptions): Promise<TakenIn>
  /** Memories without a vector of this model, by their place in the store; for `putVectors`. */
  pending(options: PendingOptions): PendingMemory[]
  /** None for a memory that changed meanwhile; answers how many are kept. Throws VECTORS_UNAVAILABLE. */
  putVectors(vectors: readonly NewVector[], model: string): Promise<number>
}

export interface StoreMemoryOptions {
  /** Nothing is kept for whoever has given up. */
  readonly signal?: AbortSignal | undefined
  /** How long an embedder is waited for. */
  readonly embedMs?: number | undefined
}

export interface Stored {
  readonly memory: Memory
  /** Why it has no vector, where it should have one. */
  readonly note?: string
}

export interface Removed {
  /** What had been merged into them. */
  readonly back: readonly string[]
  /** Why their vectors may still be there. */
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
  /** Both of project and user, as far as the rules let, where absent. */
  readonly scope?: MemoryScope | undefined
  readonly outcome?: MemoryOutcome | undefined
  /** Only memories that have all of these. */
  readonly tags?: readonly string[] | undefined
  readonly minConfidence?: number | undefined
  readonly limit?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface FoundMemories {
  /** The best first. */
  readonly hits: readonly MemoryHit[]
  /** How many were compared with the query. */
  readonly considered: number
  /** How many of them were left out, and by what. */
  readonly filtered: Readonly<Partial<Record<'outcome' | 'tags' | 'confidence', number>>>
  /** How many more were compared and are further off. */
  readonly leftOver: number
  /** Why there is nothing, where there is nothing. */
  readonly empty?: string
  /** Why only words, or only meaning, were compared, where that is so. */
  readonly note?: string
}

export interface MemoryHit {
  readonly memory: Memory
  /** 0 to 1, comparable within one answer. */
  readonly score: number
  /** How much of the query its words cover, 0 to about 1; absent where they share none. */
  readonly lexical?: number | undefined
  /** Cosine; absent where there is no vector to compare. */
  readonly similarity?: number | undefined
}

export interface ListOptions {
  readonly scope?: MemoryScope | undefined
  /** Of this project, for whoever reaches all. */
  readonly project?: string | undefined
  readonly outcome?: MemoryOutcome | undefined
  readonly tag?: string | undefined
  /** Also those that were merged into others. */
  readonly merged?: boolean | undefined
  readonly limit?: number | undefined
  /** `next` of the page before. */
  readonly after?: number | undefined
}

export interface MemoryPage {
  readonly memories: readonly Memory[]
  /** All that fit, on every page. */
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

export interface ConfidenceMove {
  readonly before: number
  readonly after: number
}

export interface TakeInOptions {
  /** What is there in other words is overwritten. */
  readonly replace?: boolean
  /** Only says what would happen. */
  readonly dryRun?: boolean
}

export interface TakenIn {
  readonly added: readonly string[]
  readonly replaced: readonly string[]
  /** There already, in the same words. */
  readonly same: readonly string[]
  /** There already in other words, and left as they are: nobody said `replace`. */
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
  /** What its vector is made of. */
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
    // Whoever may not read it cannot tell it from one that never was.
    if (row === undefined || !mayRead(row, reach)) throw new ContextdError('MEMORY_NOT_FOUND')
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
    ...bankCare(parts),
    ...bankSearch({ store, tenant, hybrid, rowOf }),
    takeIn: bankTakeIn(parts),
  }
}
