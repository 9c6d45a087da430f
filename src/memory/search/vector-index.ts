/** Stores and compares vectors. One test suite covers all drivers. */
export interface VectorIndex {
  /**
   * Adds or replaces vectors by row. The embedded driver completes synchronously, inside the caller's transaction;
   * others return a promise. Throws VECTORS_UNAVAILABLE.
   */
  put(vectors: readonly StoredVector[], model: string): void | Promise<void>
  remove(rows: readonly number[]): void | Promise<void>
  /** Closest first. */
  nearest(query: Float32Array, options: NearestOptions): Promise<Neighbour[]>
  /** For rows found by other means; rows without a vector of this model are omitted. */
  similarities(query: Float32Array, model: string, rows: readonly number[]): Promise<Map<number, number>>
}

export type VectorKind = 'memory' | 'chunk'

export interface StoredVector {
  /** `seq` of the memory or chunk. */
  readonly row: number
  /** Empty for rows that belong to every project of the tenant. */
  readonly project: string
  readonly vector: Float32Array
}

export interface NearestOptions {
  readonly model: string
  /** Only these projects; all if absent. */
  readonly projects?: readonly string[]
  readonly limit: number
}

export interface Neighbour {
  readonly row: number
  /** Cosine similarity, -1 to 1. */
  readonly similarity: number
}
