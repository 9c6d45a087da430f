import { describe, expect, test } from 'vitest'

import { testEmbedder } from '../../../test/support/embedder-suite.ts'
import { answer, startEmbeddingServer, type EmbeddingServer } from '../../../test/support/embedding-server.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import type { Embedder } from './embedder.ts'
import { openEmbedder } from './open-embedder.ts'

const servers = webServers()
const model = 'words-1'
const key = 'key-of-the-embedder'
const as = 'document'

async function start(
  kind: 'openai' | 'ollama',
  options: { maxLength?: number } = {},
): Promise<{ server: EmbeddingServer; embedder: Embedder }> {
  const server = await startEmbeddingServer(servers, { interface: kind, model, key, ...options })
  const embedder = await openEmbedder({ kind, url: server.url, model, key: () => key, file: '' })
  return { server, embedder: embedder! }
}

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason as { code: string; details: { problem: string } },
  )
  expect(error?.code).toBe('EMBEDDER_UNAVAILABLE')
  return error!.details.problem
}

describe.each(['openai', 'ollama'] as const)('an embedder of the kind %s', (kind) => {
  testEmbedder(async () => (await start(kind)).embedder)

  test('sends few texts at a time, and only as much of a text as a model reads', async () => {
    const { server, embedder } = await start(kind)
    const texts = Array.from({ length: 70 }, (_, i) => `text ${i} ${'long '.repeat(4000)}`)
    expect(embedder.dimension).toBe(0)
    expect(await embedder.embed(texts, { as })).toHaveLength(70)
    expect(embedder.dimension).toBe(24)
    expect(server.requests.map(({ input }) => input.length)).toEqual([32, 32, 6])
    expect(Math.max(...server.requests.flatMap(({ input }) => input.map((text) => text.length)))).toBe(8000)
  })

  test('shortens texts further for a server that rejects long ones', async () => {
    const { server, embedder } = await start(kind, { maxLength: 2000 })
    expect(await embedder.embed(['long '.repeat(4000), 'short'], { as })).toHaveLength(2)
    expect(server.requests).toHaveLength(2)
    const strict = await start(kind, { maxLength: 3 })
    expect(await problemOf(strict.embedder.embed(['short'], { as }))).toMatch(/status 413$/)
    expect(strict.server.requests).toHaveLength(1)
  })

  test.each([429, 503])('retries once after a pause if the server responds with %i', async (status) => {
    const { server, embedder } = await start(kind)
    const busy = (after: string) => (response: Parameters<EmbeddingServer['next'][0]>[0]) =>
      answer(response, status, {}, { 'retry-after': after })
    server.next.push(busy('0'))
    expect(await embedder.embed(['some words'], { as })).toHaveLength(1)
    expect(server.requests).toHaveLength(2)
    server.next.push(busy('0'), busy('0'))
    expect(await problemOf(embedder.embed(['some words'], { as }))).toContain(`status ${status}`)
    expect(server.requests).toHaveLength(4)
    server.next.push(busy('3600'))
    expect(await problemOf(embedder.embed(['some words'], { as }))).toContain(`status ${status}`)
    expect(server.requests).toHaveLength(5)
  })

  test("never repeats the key, a text or the server's own words", async () => {
    const server = await startEmbeddingServer(servers, { interface: kind, model, key: 'another-key' })
    const embedder = await openEmbedder({ kind, url: server.url, model, key: () => key, file: '' })
    const problem = await problemOf(embedder!.embed(['the text'], { as }))
    expect(server.requests[0]?.key).toBe(`Bearer ${key}`)
    expect(problem).toMatch(/refuses the key \(401\)/)
    expect(problem).not.toMatch(/key-of|another-key|the text/)
  })

  test('does not follow redirects', async () => {
    const elsewhere = await start(kind)
    const { server, embedder } = await start(kind)
    server.next.push((response) => answer(response, 307, {}, { location: elsewhere.server.url }))
    expect(await problemOf(embedder.embed(['some words'], { as }))).toContain('307')
    expect(elsewhere.server.requests).toEqual([])
    expect(await elsewhere.embedder.embed(['some words'], { as })).toHaveLength(1)
  })

  test.each<[string, object | string, RegExp]>([
    ['no JSON', 'nonsense', /not JSON/],
    ['something else', { hello: 1 }, /one vector per text/],
    ['too few vectors', { embeddings: [], data: [] }, /vector/],
    ['a vector of words', { embeddings: [['a']], data: [{ index: 0, embedding: ['a'] }] }, /invalid vector/],
    [
      'a vector of nothing',
      { embeddings: [[0, 0]], data: [{ index: 0, embedding: [0, 0] }] },
      /invalid vector/,
    ],
  ])('reports a response that is %s', async (_, body, message) => {
    const { server, embedder } = await start(kind)
    server.next.push((response) =>
      response.writeHead(200).end(typeof body === 'string' ? body : JSON.stringify(body)),
    )
    expect(await problemOf(embedder.embed(['some words'], { as }))).toMatch(message)
    expect(await embedder.embed(['some words'], { as })).toHaveLength(1)
  })

  test('rejects vectors of a different dimension', async () => {
    const { server, embedder } = await start(kind)
    await embedder.embed(['some words'], { as })
    const body = { embeddings: [[1, 2]], data: [{ index: 0, embedding: [1, 2] }] }
    server.next.push((response) => answer(response, 200, body))
    expect(await problemOf(embedder.embed(['some words'], { as }))).toContain('2 dimensions, but 24 before')
  })

  test('aborts an endless response', async () => {
    const { server, embedder } = await start(kind)
    server.next.push((response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(1 << 20)));
      }
      response.writeHead(200).on('drain', more)
      more()
    })
    expect(await problemOf(embedder.embed(['some words'], { as }))).toContain('larger than')
  })

  test('can be aborted while it waits', async () => {
    const { server, embedder } = await start(kind)
    const control = new AbortController()
    server.next.push(() => control.abort(new Error('not wanted any more')))
    await expect(embedder.embed(['some words'], { as, signal: control.signal })).rejects.toThrow('not wanted')
  })

  test('reports an unreachable server', async () => {
    const url = `http://127.0.0.1:${await servers.closedPort()}`
    const embedder = await openEmbedder({ kind, url, model, file: '' })
    expect(await problemOf(embedder!.embed(['some words'], { as }))).toContain('ECONNREFUSED')
  })

  test.each([
    ['nonsense', /not a URL/],
    ['ftp://127.0.0.1/', /neither http nor https/],
    ['http://models.example.com:8080', /not encrypted/],
    ['http://127.0.0.1.example.com/', /not encrypted/],
    ['https://user:pass@models.example.com/', /a user name or password/],
  ])('rejects the address %s', async (url, message) => {
    expect(await problemOf(openEmbedder({ kind, url, model, file: '' }))).toMatch(message)
  })

  test('requires a model', async () => {
    expect(
      await problemOf(openEmbedder({ kind, url: 'https://models.example.com', model: '', file: '' })),
    ).toContain('memory.embedder_model')
  })
})

test.each(['', '/', '/v1', '/v1/', '/v1/embeddings'])(
  'the address of an OpenAI server may end with "%s"',
  async (end) => {
    const server = await startEmbeddingServer(servers, { interface: 'openai', model })
    const embedder = await openEmbedder({ kind: 'openai', url: server.url + end, model, file: '' })
    expect(await embedder!.embed(['some words'], { as })).toHaveLength(1)
    expect(server.requests[0]?.key).toBeUndefined()
  },
)

test('sends the prefix that a model expects for queries and documents', async () => {
  const server = await startEmbeddingServer(servers, { interface: 'ollama', model: 'nomic-embed-text' })
  const embedder = await openEmbedder({
    kind: 'ollama',
    url: server.url,
    model: 'nomic-embed-text',
    file: '',
  })
  await embedder!.embed(['words'], { as: 'query' })
  await embedder!.embed(['words'], { as: 'document' })
  expect(server.requests.map(({ input }) => input)).toEqual([
    ['search_query: words'],
    ['search_document: words'],
  ])
})
