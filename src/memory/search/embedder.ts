/** Turns texts into vectors whose closeness says how close the texts are in meaning. One suite tests all drivers. */
export interface Embedder {
  /** Vectors of different models cannot be compared; every stored one says whose it is. */
  readonly model: string
  readonly dimension: number
  /** One vector of length 1 per text, in their order. Throws EMBEDDER_UNAVAILABLE. */
  embed(texts: readonly string[], options: EmbedOptions): Promise<Float32Array[]>
}

export interface EmbedOptions {
  /** Some models want to know which of the two a text is. */
  readonly as: 'query' | 'document'
  readonly signal?: AbortSignal
}
