/** Every recorded response, where no value is restored: the client gets the bytes that the provider sent. */

import { readdirSync } from 'node:fs'

import { describe, expect, test } from 'vitest'

import type { ModelApi } from '../../src/core/model.ts'
import { dialects } from '../../src/model/dialects.ts'
import { createInputRestorer } from '../../src/model/restore-input.ts'
import { bytesOf, cutsEverywhere, fixture } from '../support/model-streams.ts'
import { rewritten } from '../support/rewritten.ts'

const fixtures = readdirSync(new URL('fixtures', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.\w+$/.test(path))
  .map((path) => ({ path, api: path.split('/')[0] as ModelApi, isStream: path.endsWith('.sse') }))

function rewriterFor(path: string, api: ModelApi, values: ReadonlyMap<string, string>, file?: string) {
  const shapes = {
    anthropic: 'messages',
    openai: path.includes('/chat-') ? 'chat' : 'responses',
    gemini: path.includes('stream') ? 'stream' : 'content',
  }
  const restore = createInputRestorer({
    valuesOf: () => values,
    readFile: async () => file,
    mayReveal: () => () => false,
    remember: () => {},
    note: () => {},
  })
  return dialects[api].rewriter({ kind: 'generate', shape: shapes[api] }, restore)
}

const issued = new Map([
  ['[SECRET_1]', 'first-value'],
  ['[SECRET_2]', 'second-value'],
])

test('there are responses of every provider, and each of the formats has one with tokens in tool inputs', async () => {
  expect(new Set(fixtures.map(({ api }) => api))).toEqual(new Set(Object.keys(dialects)))
  const changed: string[] = []
  for (const { path, api, isStream } of fixtures) {
    const text = fixture(path)
    const create = rewriterFor(path, api, issued, 'first-value second-value')
    const type = isStream ? 'text/event-stream' : 'application/json'
    if ((await rewritten(create, type, [Buffer.from(text)])).bytes.toString() !== text) changed.push(path)
  }
  expect(changed.toSorted()).toEqual([
    'anthropic/message.json',
    'anthropic/parallel-tools.sse',
    'anthropic/sequential-tools.sse',
    'gemini/array-stream.txt',
    'gemini/response.json',
    'gemini/stream.sse',
    'openai/chat-completion.json',
    'openai/chat-tools.sse',
    'openai/response.json',
    'openai/responses-tools.sse',
  ])
})

describe.each(fixtures)('$path', ({ path, api, isStream }) => {
  test.each([
    ['no token was issued', new Map<string, string>()],
    ['the file does not contain the values', issued],
  ])('passes byte for byte where %s, cut at every byte', async (_, values) => {
    const text = fixture(path)
    const create = rewriterFor(path, api, values, 'another file')
    const type = isStream ? 'text/event-stream' : 'application/json'
    for (const chunks of [...cutsEverywhere(text), bytesOf(text)])
      expect((await rewritten(create, type, chunks)).bytes.toString()).toBe(text)
  })
})
