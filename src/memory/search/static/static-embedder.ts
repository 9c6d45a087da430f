import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { ContextdError } from '../../../core/errors.ts'
import type { Embedder } from '../embedder.ts'
import { readTable, type Table } from './table.ts'
import { tokenize } from './tokenizer.ts'

const asset = join('assets', 'embedder', 'contextd-static.bin')

/** The embedder that comes with contextd: a table of word vectors, no model to run and nothing to download. */
export async function openStaticEmbedder(file: URL | string = ownTable()): Promise<Embedder> {
  const table = await load(file)
  return {
    model: table.model,
    dimension: table.dimension,
    embed: async (texts, { signal }) =>
      texts.map((text) => {
        signal?.throwIfAborted()
        return embedText(text, table)
      }),
  }
}

/** The sources, the bundle and the plugin lie at different depths beside or below the assets. */
function ownTable(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  for (let up = 0; up < 5 && !existsSync(join(folder, asset)); up++) folder = dirname(folder)
  return join(folder, asset)
}

async function load(file: URL | string): Promise<Table> {
  try {
    return readTable(await readFile(file))
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new ContextdError(
      'EMBEDDER_UNAVAILABLE',
      { problem: `the table of word vectors: ${problem}` },
      { cause },
    )
  }
}

/** The direction of the sum of its words' vectors. What occurs again counts less each time. */
export function embedText(text: string, table: Table): Float32Array {
  const { dimension, scales, vectors } = table
  const times = new Map<number, number>()
  for (const row of tokenize(text, table.rows, table.mostTokens)) times.set(row, (times.get(row) ?? 0) + 1)
  const sum = new Float32Array(dimension)
  for (const [row, count] of times) {
    const weight = scales[row]! * Math.sqrt(count)
    const start = row * dimension
    for (let at = 0; at < dimension; at++) sum[at]! += weight * vectors[start + at]!
  }
  return unit(sum.some((value) => value !== 0) ? sum : ownDirection(text, dimension))
}

function unit(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

/**
 * A text without any word we know (another script, bare punctuation) has no meaning to us. It gets a direction of its own,
 * close to itself and to nothing else: one direction for all would make them look like each other.
 */
function ownDirection(text: string, dimension: number): Float32Array {
  let state = 2166136261
  for (let at = 0; at < text.length; at++) state = Math.imul(state ^ text.charCodeAt(at), 16777619)
  return Float32Array.from({ length: dimension }, () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 1
    return (state >>> 8) / 2 ** 23 - 1
  })
}
