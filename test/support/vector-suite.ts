import { expect, test } from 'vitest'

import type { StoredVector, VectorIndex, VectorKind } from '../../src/memory/search/vector-index.ts'

export interface VectorDriver {
  /** Opens another index on the same storage, like another process. */
  open(options?: { tenant?: string; kind?: VectorKind }): Promise<VectorIndex>
}

/** Requirements for every vector index. `fresh` returns a driver for an empty index. */
export function testVectorIndex(fresh: () => Promise<VectorDriver>): void {
  const model = 'm1'
  const east = unit(1, 0, 0, 0)
  const north = unit(0, 1, 0, 0)
  const northEast = unit(1, 1, 0, 0)
  const up = unit(0, 0, 1, 0)
  const three: StoredVector[] = [
    { row: 1, project: '/a', vector: east },
    { row: 2, project: '/b', vector: north },
    { row: 3, project: '', vector: northEast },
  ]
  const rowsOf = async (index: VectorIndex, options: { model?: string; projects?: string[] } = {}) =>
    (await index.nearest(east, { model, limit: 10, ...options })).map(({ row }) => row)

  async function filled(): Promise<{ driver: VectorDriver; index: VectorIndex }> {
    const driver = await fresh()
    const index = await driver.open()
    await index.put(three, model)
    return { driver, index }
  }

  test('an empty one finds nothing', async () => {
    const index = await (await fresh()).open()
    expect(await rowsOf(index)).toEqual([])
    expect(await index.similarities(east, model, [1, 2])).toEqual(new Map())
    await index.remove([1, 2])
    await index.put([], model)
    await index.remove([])
    expect(await rowsOf(index)).toEqual([])
  })

  test('returns the closest first, with their cosine similarity', async () => {
    const { index } = await filled()
    const found = await index.nearest(east, { model, limit: 10 })
    expect(found.map(({ row }) => row)).toEqual([1, 3, 2])
    expect(found.map(({ similarity }) => similarity)).toEqual([
      expect.closeTo(1, 2),
      expect.closeTo(Math.SQRT1_2, 2),
      expect.closeTo(0, 2),
    ])
    const [opposite] = await index.nearest(unit(-1, 0, 0, 0), { model, limit: 1 })
    expect(opposite?.row).toBe(2)
    expect((await index.similarities(unit(-1, 0, 0, 0), model, [1])).get(1)).toBeCloseTo(-1, 2)
  })

  test('returns at most the limit', async () => {
    const { index } = await filled()
    expect((await index.nearest(east, { model, limit: 1 })).map(({ row }) => row)).toEqual([1])
  })

  test('searches only the given projects', async () => {
    const { index } = await filled()
    expect(await rowsOf(index, { projects: ['/b'] })).toEqual([2])
    expect(await rowsOf(index, { projects: ['/b', ''] })).toEqual([3, 2])
    expect(await rowsOf(index, { projects: ['/elsewhere'] })).toEqual([])
    expect(await rowsOf(index, { projects: [] })).toEqual([])
    expect(await rowsOf(index)).toEqual([1, 3, 2])
  })

  test('compares given rows, and omits those without a vector', async () => {
    const { index } = await filled()
    const found = await index.similarities(north, model, [2, 1, 99])
    expect(found.size).toBe(2)
    expect(found.get(2)).toBeCloseTo(1, 2)
    expect(found.get(1)).toBeCloseTo(0, 2)
    expect(await index.similarities(north, model, [])).toEqual(new Map())
  })

  test('replaces the vector and the project of a row', async () => {
    const { index } = await filled()
    await rowsOf(index)
    await index.put([{ row: 1, project: '/c', vector: up }], model)
    expect((await index.similarities(up, model, [1])).get(1)).toBeCloseTo(1, 2)
    expect(await rowsOf(index, { projects: ['/a'] })).toEqual([])
    expect(await rowsOf(index, { projects: ['/c'] })).toEqual([1])
  })

  test('removes rows one by one and in bulk, and accepts them again', async () => {
    const { index } = await filled()
    await rowsOf(index)
    await index.remove([3, 77])
    expect(await rowsOf(index)).toEqual([1, 2])
    expect(await index.similarities(east, model, [3])).toEqual(new Map())
    await index.put([{ row: 3, project: '', vector: northEast }], model)
    expect(await rowsOf(index)).toEqual([1, 3, 2])

    const many = Array.from({ length: 3000 }, (_, i) => ({ row: 1000 + i, project: '/many', vector: up }))
    await index.put(many, model)
    expect((await index.nearest(up, { model, limit: 5000, projects: ['/many'] })).length).toBe(3000)
    await index.remove(many.map(({ row }) => row))
    expect(await rowsOf(index, { projects: ['/many'] })).toEqual([])
    expect(await rowsOf(index)).toEqual([1, 3, 2])
  })

  test('never compares vectors of different models', async () => {
    const { index } = await filled()
    await rowsOf(index)
    expect(await rowsOf(index, { model: 'm2' })).toEqual([])
    await index.put([{ row: 1, project: '/a', vector: east }], 'm2')
    expect(await rowsOf(index, { model: 'm2' })).toEqual([1])
    expect(await rowsOf(index)).toEqual([3, 2])
    expect(await index.similarities(east, model, [1, 2])).toEqual(new Map([[2, expect.closeTo(0, 2)]]))
  })

  test('migrates to a model of another dimension, row by row', async () => {
    const { index } = await filled()
    await rowsOf(index)
    await index.put([{ row: 2, project: '/b', vector: unit(0, 1, 0, 0, 0, 0) }], 'wide')
    const wide = { model: 'wide', limit: 10 }
    expect((await index.nearest(unit(0, 1, 0, 0, 0, 0), wide)).map(({ row }) => row)).toEqual([2])
    expect(await rowsOf(index)).toEqual([1, 3])
    await index.remove([2])
    expect(await index.nearest(unit(0, 1, 0, 0, 0, 0), wide)).toEqual([])
  })

  test('ignores other tenants and other kinds', async () => {
    const { driver, index } = await filled()
    const stranger = await driver.open({ tenant: 'Other/../Tenant' })
    const chunks = await driver.open({ kind: 'chunk' })
    for (const other of [stranger, chunks]) {
      expect(await rowsOf(other)).toEqual([])
      expect(await other.similarities(east, model, [1, 2, 3])).toEqual(new Map())
      await other.remove([1, 2, 3])
    }
    await chunks.put([{ row: 1, project: '/a', vector: up }], model)
    expect(await rowsOf(chunks)).toEqual([1])
    await stranger.put([{ row: 50, project: '/a', vector: up }], model)
    expect(await rowsOf(stranger)).toEqual([50])
    expect(await rowsOf(index)).toEqual([1, 3, 2])
    expect((await index.similarities(east, model, [1])).get(1)).toBeCloseTo(1, 2)
  })

  test('two writers see each other’s changes', async () => {
    const { driver, index } = await filled()
    const second = await driver.open()
    expect(await rowsOf(second)).toEqual([1, 3, 2])
    await index.put([{ row: 4, project: '/a', vector: unit(10, 1, 0, 0) }], model)
    expect(await rowsOf(second)).toEqual([1, 4, 3, 2])
    await second.remove([1])
    await second.put([{ row: 2, project: '/b', vector: east }], model)
    expect(await rowsOf(index)).toEqual([2, 4, 3])
    await Promise.all([
      index.put([{ row: 5, project: '/a', vector: east }], model),
      second.put([{ row: 6, project: '/a', vector: east }], model),
    ])
    const sorted = async (one: VectorIndex) => (await rowsOf(one)).sort((a, b) => a - b)
    expect(await sorted(index)).toEqual([2, 3, 4, 5, 6])
    expect(await sorted(second)).toEqual([2, 3, 4, 5, 6])
  })

  test('a zero vector is close to nothing and causes no error', async () => {
    const { index } = await filled()
    expect((await index.nearest(new Float32Array(4), { model, limit: 3 })).every(hasFiniteSimilarity)).toBe(
      true,
    )
    expect(await rowsOf(index)).toEqual([1, 3, 2])
  })
}

const hasFiniteSimilarity = ({ similarity }: { similarity: number }): boolean => Number.isFinite(similarity)

/** The numbers as a unit vector. */
export function unit(...numbers: number[]): Float32Array {
  const length = Math.hypot(...numbers)
  return Float32Array.from(numbers, (value) => value / length)
}
