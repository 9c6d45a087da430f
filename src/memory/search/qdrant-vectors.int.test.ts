import { QdrantClient } from '@qdrant/js-client-rest'
import { describe, expect, onTestFinished, test, vi } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { startQdrant } from '../../../test/support/qdrant-server.ts'
import { testVectorIndex, unit, type VectorDriver } from '../../../test/support/vector-suite.ts'
import { webServers } from '../../../test/support/web-servers.ts'
import type { Store } from '../../platform/storage/store.ts'
import { vectorSetId } from '../../platform/storage/vector-rows.ts'
import { openVectors } from './open-vectors.ts'
import { openQdrantVectors } from './qdrant-vectors.ts'
import type { VectorIndex } from './vector-index.ts'

const servers = webServers()
const model = 'm1'
const east = unit(1, 0, 0, 0)
const one = [{ row: 1, project: '/a', vector: east }]
const key = 'key-of-qdrant'

function open(store: Store, url: string, givenKey?: string): Promise<VectorIndex> {
  const settings = { kind: 'qdrant', url, ...(givenKey !== undefined && { key: () => givenKey }) } as const
  return openVectors({ store, tenant: 'local', kind: 'memory', settings })
}

const rowsOf = async (index: VectorIndex): Promise<number[]> =>
  (await index.nearest(east, { model, limit: 10 })).map(({ row }) => row)

async function problemOf(work: () => unknown): Promise<string> {
  const error = await Promise.resolve()
    .then(work)
    .then(
      () => undefined,
      (reason: unknown) => reason as { code: string; details: { problem: string } },
    )
  expect(error?.code).toBe('VECTORS_UNAVAILABLE')
  return error!.details.problem
}

describe('vectors in Qdrant, against its documented API', () => {
  testVectorIndex(async () => driverAt(temporaryStore(), (await startQdrant(servers, { key })).url, key))

  test('creates a collection per tenant, kind and dimension, with indexed filter fields', async () => {
    const { url, collections } = await startQdrant(servers)
    const store = temporaryStore()
    const index = await open(store, url)
    expect(await rowsOf(index)).toEqual([])
    expect(collections.size).toBe(0)
    await index.put(one, model)
    const settings = { kind: 'qdrant', url } as const
    const stranger = await openVectors({ store, tenant: 'Ärger/../x', kind: 'chunk', settings })
    await stranger.put([{ row: 9, project: '', vector: unit(1, 2) }], model)
    expect([...collections.keys()]).toEqual([
      `contextd-local-memory-${vectorSetId(store, { tenant: 'local', kind: 'memory' })}-4`,
      expect.stringMatching(/^contextd-\.[0-9a-f]{32}-chunk-[0-9a-f]{16}-2$/),
    ])
    for (const { indexes } of collections.values())
      expect([...indexes]).toEqual(['tenant', 'project', 'model'])
  })

  test('two stores sharing a Qdrant are separate', async () => {
    const { url } = await startQdrant(servers)
    const [mine, theirs] = [await open(temporaryStore(), url), await open(temporaryStore(), url)]
    await mine.put(one, model)
    expect(await rowsOf(theirs)).toEqual([])
    await theirs.remove([1])
    expect(await rowsOf(mine)).toEqual([1])
  })

  test('concurrent first writes end up with one collection and all vectors', async () => {
    const { url, collections } = await startQdrant(servers)
    const store = temporaryStore()
    const several = await Promise.all([1, 2, 3, 4].map(() => open(store, url)))
    await Promise.all(
      several.map(async (index, i) => index.put([{ row: i + 1, project: '', vector: east }], model)),
    )
    expect(collections.size).toBe(1)
    expect(new Set(await rowsOf(several[0]!))).toEqual(new Set([1, 2, 3, 4]))
  })

  test('recreates a collection that was removed', async () => {
    const { url, collections } = await startQdrant(servers)
    const index = await open(temporaryStore(), url)
    await index.put(one, model)
    collections.clear()
    expect(await rowsOf(index)).toEqual([])
    await index.put([{ row: 2, project: '', vector: east }], model)
    expect(await rowsOf(index)).toEqual([2])
  })

  test('ignores invalid similarities, and more results than requested', async () => {
    const sane = { id: 3, score: 0.5 }
    let points: unknown[] = [
      { id: 1, score: 'near' },
      { id: 2, score: null },
      { id: -1.5, score: 0.1 },
      { id: 'e8b6f6c0-0000-4000-8000-000000000000', score: 0.1 },
      { id: 4, score: 1e300 },
      sane,
    ]
    const port = await servers.serve((_, response) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ result: { points }, status: 'ok', time: 0 }))
    })
    const index = await open(temporaryStore(), `http://127.0.0.1:${port}`)
    expect(await index.nearest(east, { model, limit: 10 })).toEqual([{ row: 3, similarity: 0.5 }])
    expect(await index.similarities(east, model, [1, 2, 3, 4, 5, 6])).toEqual(new Map([[3, 0.5]]))
    points = Array.from({ length: 50 }, (_, id) => ({ id, score: 0.1 }))
    expect(await index.nearest(east, { model, limit: 10 })).toHaveLength(10)
  })

  test('succeeds after an earlier failure', async () => {
    const { url, next } = await startQdrant(servers)
    const index = await open(temporaryStore(), url)
    next.push(500)
    expect(await problemOf(() => index.put(one, model))).toContain('status 500')
    await index.put(one, model)
    expect(await rowsOf(index)).toEqual([1])
  })

  test("never repeats the key or the server's own words, and writes nothing to the console", async () => {
    const said = vi.spyOn(console, 'warn')
    onTestFinished(() => said.mockRestore())
    const { url } = await startQdrant(servers, { key: 'another-key' })
    const index = await open(temporaryStore(), url, key)
    const problem = await problemOf(() => index.put(one, model))
    expect(problem).toMatch(/refuses the key \(401\)/)
    expect(problem).not.toMatch(/key-of-qdrant|another-key/)
    expect(said).not.toHaveBeenCalled()
    await (await open(temporaryStore(), url, 'another-key')).put(one, model)
  })

  test('works below a path prefix', async () => {
    const { url } = await startQdrant(servers, { prefix: '/vectors/here' })
    const index = await open(temporaryStore(), `${url}/`)
    await index.put(one, model)
    expect(await rowsOf(index)).toEqual([1])
  })

  test('reports an unreachable or slow server', async () => {
    const closed = await open(temporaryStore(), `http://127.0.0.1:${await servers.closedPort()}`)
    expect(await problemOf(() => closed.put(one, model))).toContain('ECONNREFUSED')
    expect(await problemOf(() => rowsOf(closed))).toContain('ECONNREFUSED')
    expect(await problemOf(() => closed.remove([1]))).toContain('ECONNREFUSED')
    const { url, next } = await startQdrant(servers)
    const index = await open(temporaryStore(), url)
    next.push('silence')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const late = problemOf(() => rowsOf(index))
    await vi.waitFor(() => expect(next).toEqual([]), 30_000)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await late).toContain('longer than 10000 ms')
  })

  test.each([
    ['nonsense', /not a URL/],
    ['http://qdrant.example.com:6333', /not encrypted/],
  ])('rejects the address %s', async (url, message) => {
    expect(await problemOf(() => open(temporaryStore(), url))).toMatch(message)
  })
})

test('names the missing package', async () => {
  const parts = {
    store: temporaryStore(),
    tenant: 'local',
    kind: 'memory',
    url: 'http://127.0.0.1:1',
  } as const
  expect(await problemOf(() => openQdrantVectors(parts, () => Promise.reject(new Error('no'))))).toContain(
    'npm install @qdrant/js-client-rest@1.18.0',
  )
})

const realUrl = process.env.QDRANT_URL
describe.skipIf(realUrl === undefined)('the vectors in a real Qdrant', () => {
  const realKey = process.env.QDRANT_API_KEY

  testVectorIndex(() => {
    const store = temporaryStore()
    onTestFinished(() => removeCollections(store))
    return Promise.resolve(driverAt(store, realUrl!, realKey))
  })

  async function removeCollections(store: Store): Promise<void> {
    const client = new QdrantClient({
      url: realUrl!,
      checkCompatibility: false,
      headers: { 'api-key': realKey },
    })
    const ids = store.prepare('SELECT id FROM vector_sets').all()
    for (const { name } of (await client.getCollections()).collections) {
      if (ids.some(({ id }) => name.includes(`-${String(id)}-`))) await client.deleteCollection(name)
    }
  }
})

function driverAt(store: Store, url: string, givenKey: string | undefined): VectorDriver {
  const settings = { kind: 'qdrant', url, ...(givenKey !== undefined && { key: () => givenKey }) } as const
  return {
    open: ({ tenant = 'local', kind = 'memory' } = {}) => openVectors({ store, tenant, kind, settings }),
  }
}
