/** Where vectors are kept and compared. One suite tests all drivers. */
export interface VectorIndex {
  /**
   * Adds, or replaces those of the same row. The embedded driver has written when this returns, inside the transaction of
   * its caller; others answer a promise. Throws VECTORS_UNAVAILABLE.
   */
  put(vectors: readonly StoredVector[], model: string): void | Promise<void>
  remove(rows: readonly number[]): void | Promise<void>
  /** The closest first. */
  nearest(query: Float32Array, options: NearestOptions): Promise<Neighbour[]>
  /** For rows that were found by other means; those without a vector of this model are missing from the answer. */
  similarities(query: Float32Array, model: string, rows: readonly number[]): Promise<Map<number, number>>
}

export type VectorKind = 'memory' | 'chunk'

export interface StoredVector {
  /** `seq` of the memory or chunk. */
  readonly row: number
  /** Empty for what belongs to every project of the tenant. */
  readonly project: string
  readonly vector: Float32Array
}

export interface NearestOptions {
  readonly model: string
  /** Only of these projects; of all where absent. */
  readonly projects?: readonly string[]
  readonly limit: number
}

export interface Neighbour {
  readonly row: number
  /** Cosine, -1 to 1. */
  readonly similarity: number
}
