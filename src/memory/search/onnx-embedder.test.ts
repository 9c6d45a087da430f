import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { testEmbedder } from '../../../test/support/embedder-suite.ts'
import { openOnnxEmbedder, type OnnxRuntime } from './onnx-embedder.ts'

interface Given {
  readonly data: BigInt64Array
  readonly dims: readonly number[]
}

const letters = 'abcdefghijklmnopqrstuvwxyz'.split('').flatMap((letter) => [letter, `##${letter}`])
const pieces = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', 'some', 'words', 'last', 'first', ...letters]

function modelFolder(vocabulary: readonly string[] = pieces): string {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'model.onnx'), 'a model')
  writeFileSync(join(folder, 'vocab.txt'), vocabulary.join('\n'))
  return folder
}

/** A model whose vector of a token identifies the token. Padding would change the mean. */
function fakeRuntime(
  seen: Record<string, Given>[] = [],
  inputNames = ['input_ids', 'attention_mask'],
): OnnxRuntime {
  const size = pieces.length
  return {
    Tensor: class {
      readonly data: BigInt64Array
      readonly dims: readonly number[]
      constructor(_: 'int64', data: BigInt64Array, dims: readonly number[]) {
        this.data = data
        this.dims = dims
      }
    },
    InferenceSession: {
      create: () =>
        Promise.resolve({
          inputNames,
          outputNames: ['last_hidden_state'],
          run: (inputs) => {
            const given = inputs as Record<string, Given>
            seen.push(given)
            const { data: ids, dims } = given.input_ids!
            const data = new Float32Array(ids.length * size)
            for (const [i, id] of ids.entries()) data[i * size + Number(id)] = id === 0n ? 1000 : 1
            return Promise.resolve({ last_hidden_state: { data, dims: [...dims, size] } })
          },
        }),
    },
  }
}

describe('a model in a folder', () => {
  testEmbedder(() => openOnnxEmbedder(modelFolder(), () => Promise.resolve(fakeRuntime())))

  test('receives tokens between two markers, padded to the longest, and truncated to its limit', async () => {
    const seen: Record<string, Given>[] = []
    const embedder = await openOnnxEmbedder(modelFolder(), () => Promise.resolve(fakeRuntime(seen)))
    seen.length = 0
    await embedder.embed(['some words', 'Last', 'ab ?'], { as: 'document' })
    const number = (piece: string): number => pieces.indexOf(piece)
    const rows = [
      ['[CLS]', 'some', 'words', '[SEP]', '[PAD]'],
      ['[CLS]', 'last', '[SEP]', '[PAD]', '[PAD]'],
      ['[CLS]', 'a', '##b', '[UNK]', '[SEP]'],
    ]
    expect(Array.from(seen[0]!.input_ids!.data, Number)).toEqual(rows.flat().map(number))
    expect(Array.from(seen[0]!.attention_mask!.data, Number)).toEqual(
      rows.flat().map((one) => (one === '[PAD]' ? 0 : 1)),
    )
    expect(seen[0]!.input_ids!.dims).toEqual([3, 5])
    await embedder.embed(['a '.repeat(5000)], { as: 'document' })
    expect(seen[1]!.input_ids!.dims).toEqual([1, 256])
    expect(Number(seen[1]!.input_ids!.data[255])).toBe(number('[SEP]'))
  })

  test('a different model has a different id', async () => {
    const folder = modelFolder()
    const runtime = (): Promise<OnnxRuntime> => Promise.resolve(fakeRuntime())
    const first = await openOnnxEmbedder(folder, runtime)
    expect((await openOnnxEmbedder(folder, runtime)).model).toBe(first.model)
    writeFileSync(join(folder, 'model.onnx'), 'another model')
    expect((await openOnnxEmbedder(folder, runtime)).model).not.toBe(first.model)
  })

  const failing: OnnxRuntime = {
    ...fakeRuntime(),
    InferenceSession: { create: () => Promise.reject(new Error('protobuf of /secret/path')) },
  }
  test.each<[string, () => string, () => Promise<OnnxRuntime>, RegExp]>([
    [
      'the package',
      modelFolder,
      () => Promise.reject(new Error('no')),
      /npm install --ignore-scripts onnxruntime-node@/,
    ],
    ['the folder', () => '/nonexistent', () => Promise.resolve(fakeRuntime()), /cannot be used \(ENOENT\)/],
    ['a model that can be read', modelFolder, () => Promise.resolve(failing), /cannot be used \(Error\)$/],
    ['a piece', () => modelFolder(['a']), () => Promise.resolve(fakeRuntime()), /has no \[CLS\]/],
    [
      'an input we know',
      modelFolder,
      () => Promise.resolve(fakeRuntime([], ['pixels'])),
      /requires an unknown input pixels/,
    ],
  ])('reports that %s is missing', async (_, folder, runtime, message) => {
    await expect(openOnnxEmbedder(folder(), runtime)).rejects.toMatchObject({
      code: 'EMBEDDER_UNAVAILABLE',
      details: { problem: expect.stringMatching(message) },
    })
  })
})

const realModel = process.env.CONTEXTD_ONNX_MODEL
describe.skipIf(realModel === undefined)('a real model', () => {
  testEmbedder(() => openOnnxEmbedder(realModel!))
})
