import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { ContextdError } from '../../core/errors/errors.ts'
import { ownFolder } from '../../platform/own-program.ts'
import type { Embedder } from './embedder.ts'
import { unitVector } from './unit-vector.ts'
import { readEmbeddingTable, type EmbeddingTable } from './static-table.ts'
import { tokenize } from './static-tokenizer.ts'

const asset = join('assets', 'embedder', 'contextd-static.bin')

/** The built-in embedder: a table of word vectors, with no model to run and nothing to download. */
export async function openStaticEmbedder(file: URL | string = join(ownFolder(), asset)): Promise<Embedder> {
  const table = await load(file)
  return {
    model: table.model,
    dimension: table.dimension,
    embed: async (texts, { signal }) =>
      texts.map((text) => {
        signal?.throwIfAborted()
        const sum = sumOfWords(text, table)
        return unitVector(sum) ?? unitVector(hashDirection(text, table.dimension))!
      }),
  }
}

async function load(file: URL | string): Promise<EmbeddingTable> {
  try {
    return readEmbeddingTable(await readFile(file))
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    const problem = `the table of word vectors cannot be used: ${reason}`
    throw new ContextdError('EMBEDDER_UNAVAILABLE', { problem }, { cause })
  }
}

/** Repeated words weigh less each time. */
function sumOfWords(
  text: string,
  { rows, maxTokens, dimension, scales, vectors }: EmbeddingTable,
): Float32Array {
  const times = new Map<number, number>()
  for (const row of tokenize(text, rows, maxTokens)) times.set(row, (times.get(row) ?? 0) + 1)
  const sum = new Float32Array(dimension)
  for (const [row, count] of times) {
    const weight = scales[row]! * Math.sqrt(count)
    const start = row * dimension
    for (let at = 0; at < dimension; at++) sum[at]! += weight * vectors[start + at]!
  }
  return sum
}

/**
 * A text without any known word (another script, bare punctuation) gets a pseudorandom direction derived from the
 * text: a shared one would make all such texts look alike.
 */
function hashDirection(text: string, dimension: number): Float32Array {
  let state = 2166136261
  const mix = (value: number): number => (state = Math.imul(state ^ value, 16777619))
  for (let at = 0; at < text.length; at++) mix(text.charCodeAt(at))
  return Float32Array.from({ length: dimension }, (_, at) => {
    mix(at)
    return Math.imul(state ^ (state >>> 15), 2246822519) / 2 ** 31
  })
}
