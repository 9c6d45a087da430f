/**
 * Turns texts into vectors that are the closer, the closer the texts are in meaning. One test suite covers all
 * drivers.
 */
export interface Embedder {
  /** Vectors of different models cannot be compared, so each stored one records its model. */
  readonly model: string
  readonly dimension: number
  /** One vector of length 1 per text, in the same order. Throws EMBEDDER_UNAVAILABLE. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
}

export interface EmbedOptions {
  /** Some models treat queries and documents differently. */
  readonly as: 'query' | 'document'
  readonly signal?: AbortSignal
}
