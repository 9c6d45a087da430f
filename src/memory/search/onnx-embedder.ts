import { createHash } from 'node:crypto'
import { createReadStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { batches } from '../../core/batches.ts'
import { CodedError, ContextdError } from '../../core/errors/errors.ts'
import type { Embedder } from './embedder.ts'
import { unitVector } from './unit-vector.ts'
import { plainWords, wordPieces } from './word-pieces.ts'

/** The part of `onnxruntime-node` that we use. */
export interface OnnxRuntime {
  readonly InferenceSession: { create(path: string): Promise<OnnxSession> }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => object
}

interface OnnxSession {
  readonly inputNames: readonly string[]
  readonly outputNames: readonly string[]
  run(inputs: Record<string, object>): Promise<Record<string, OnnxTensor>>
}

interface OnnxTensor {
  readonly data: unknown
  readonly dims: readonly number[]
}

/** Max tokens of a text that the model reads. */
const maxTokens = 256
const batchTexts = 16

/** A sentence model in a folder: `model.onnx`, and `vocab.txt` with one piece per line. */
export async function openOnnxEmbedder(
  folder: string,
  load: () => Promise<OnnxRuntime> = loadRuntime,
): Promise<Embedder> {
  const runtime = await load().catch((cause: unknown) => {
    const problem =
      'the package onnxruntime-node is not installed; run `npm install --ignore-scripts onnxruntime-node@1.30.0` next to contextd'
    throw new ContextdError('EMBEDDER_UNAVAILABLE', { problem }, { cause })
  })
  const modelFile = join(folder, 'model.onnx')
  const { vocabulary, session, fingerprint } = await runModel('cannot be used', async () => ({
    vocabulary: readVocabulary(join(folder, 'vocab.txt')),
    session: await runtime.InferenceSession.create(modelFile),
    fingerprint: await sha256(modelFile),
  }))
  const encode = createEncoder(vocabulary)

  const embedBatch = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const tokens = texts.map(encode)
    const width = Math.max(...tokens.map((row) => row.length))
    const dims = [tokens.length, width]
    const ids = new BigInt64Array(tokens.length * width)
    const mask = new BigInt64Array(tokens.length * width)
    for (const [line, row] of tokens.entries()) {
      for (const [i, id] of row.entries()) {
        ids[line * width + i] = BigInt(id)
        mask[line * width + i] = 1n
      }
    }
    const available: Record<string, BigInt64Array> = {
      input_ids: ids,
      attention_mask: mask,
      token_type_ids: new BigInt64Array(ids.length),
    }
    const inputs = session.inputNames.map((name) => {
      const data = available[name]
      if (data === undefined) throw unusable(`requires an unknown input ${name}`)
      return [name, new runtime.Tensor('int64', data, dims)] as const
    })
    const outputs = await session.run(Object.fromEntries(inputs))
    const [name = ''] = session.outputNames
    const output = outputs[name]
    const size = output?.dims[2]
    if (!(output?.data instanceof Float32Array) || size === undefined)
      throw unusable('does not return one vector per token')
    const numbers = output.data
    return tokens.map((row, line) => {
      const vector = unitVector(meanOf(numbers, line * width * size, row.length, size))
      if (vector === undefined) throw unusable('returns an invalid vector')
      return vector
    })
  }

  const [probe] = await runModel('does not run', () => embedBatch(['contextd']))
  return {
    model: `onnx:${fingerprint}`,
    dimension: probe?.length ?? 0,
    embed: async (texts, { signal }) => {
      const vectors: Float32Array[] = []
      for (const some of batches(texts, batchTexts)) {
        signal?.throwIfAborted()
        vectors.push(...(await runModel('failed', () => embedBatch(some))))
      }
      return vectors
    },
  }
}

/** The name is not a literal, so that TypeScript and bundlers do not resolve it: the package is optional. */
async function loadRuntime(): Promise<OnnxRuntime> {
  const name = 'onnxruntime-node'
  const { default: runtime } = (await import(/* @vite-ignore */ name)) as { default: OnnxRuntime }
  return runtime
}

async function runModel<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof CodedError) throw cause
    const { code, name } = cause as { code?: string; name?: string }
    throw unusable(`${what} (${code ?? name ?? 'failed'})`, cause)
  }
}

function unusable(why: string, cause?: unknown): ContextdError {
  const problem = `the model in memory.embedder_file ${why}`
  return new ContextdError('EMBEDDER_UNAVAILABLE', { problem }, { cause })
}

/** The tokens of a text as the model expects them, with start and end markers. */
function createEncoder(vocabulary: ReadonlyMap<string, number>): (text: string) => number[] {
  const numberOf = (piece: string): number => {
    const number = vocabulary.get(piece)
    if (number === undefined) throw unusable(`has no ${piece} in its vocab.txt`)
    return number
  }
  const [start, end, unknown] = [numberOf('[CLS]'), numberOf('[SEP]'), numberOf('[UNK]')]
  return (text) => {
    const tokens = [start]
    // Only as much of a long text as can become tokens is split.
    for (const word of plainWords(text.slice(0, maxTokens * 64))) {
      tokens.push(...(wordPieces(word, vocabulary) ?? [unknown]))
      if (tokens.length >= maxTokens - 1) break
    }
    return [...tokens.slice(0, maxTokens - 1), end]
  }
}

function readVocabulary(file: string): Map<string, number> {
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  return new Map(lines.map((piece, number) => [piece, number]))
}

/** The mean of the first `count` vectors from `start`; the ones after them are padding. */
function meanOf(numbers: Float32Array, start: number, count: number, size: number): Float32Array {
  const sums = new Float32Array(size)
  for (let token = 0; token < count; token++) {
    for (let i = 0; i < size; i++) sums[i] = (sums[i] ?? 0) + (numbers[start + token * size + i] ?? 0)
  }
  return sums
}

/** Long enough to distinguish models. */
async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex').slice(0, 16)
}
