import { describe, expect, test } from 'vitest'

import { testEmbedder } from '../../../test/support/embedder-suite.ts'
import { openEmbedder } from './open-embedder.ts'

const settings = { url: '', model: '', file: '' }

test('is undefined if it is off', async () => {
  expect(await openEmbedder({ ...settings, kind: 'off' })).toBeUndefined()
})

describe('the embedded one', () => {
  testEmbedder(async () => (await openEmbedder({ ...settings, kind: 'embedded' }))!)
})

test('Ollama defaults to this machine', async () => {
  const embedder = await openEmbedder({ ...settings, kind: 'ollama', model: 'nomic-embed-text' })
  expect(embedder).toMatchObject({ model: 'ollama:nomic-embed-text', dimension: 0 })
})

test.each([
  ['openai', 'memory.embedder_url'],
  ['ollama', 'memory.embedder_model'],
  ['onnx', 'memory.embedder_file'],
] as const)('%s says what is not set', async (kind, key) => {
  await expect(openEmbedder({ ...settings, kind })).rejects.toMatchObject({
    code: 'EMBEDDER_UNAVAILABLE',
    details: { problem: `${key} is not set` },
  })
})
