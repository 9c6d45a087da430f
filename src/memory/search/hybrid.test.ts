import { describe, expect, test } from 'vitest'

import { ContextdError } from '../../core/errors/errors.ts'
import type { Embedder } from './embedder.ts'
import { createHybridSearch, type HybridParts } from './hybrid.ts'
import type { VectorIndex } from './vector-index.ts'

/** Rows by lexical score and by similarity for any query. */
interface Row {
  readonly row: number
  readonly share?: number
  readonly similarity?: number
  readonly project?: string
}

const embedder: Embedder = {
  model: 'fake',
  dimension: 2,
  embed: (texts) => Promise.resolve(texts.map(() => Float32Array.of(1, 0))),
}

function parts(rows: readonly Row[]): HybridParts & { readonly limits: number[] } {
  const limits: number[] = []
  const within = (projects: readonly string[] | undefined) =>
    rows.filter(({ project = '/p' }) => projects?.includes(project) ?? true)
  const vectors: VectorIndex = {
    put: () => {},
    remove: () => {},
    nearest: (_, { limit, projects }) =>
      Promise.resolve(
        within(projects)
          .flatMap(({ row, similarity }) => (similarity === undefined ? [] : [{ row, similarity }]))
          .toSorted((a, b) => b.similarity - a.similarity)
          .slice(0, limit),
      ),
    similarities: (_query, _model, wanted) =>
      Promise.resolve(
        new Map(
          rows.flatMap(({ row, similarity }) =>
            similarity !== undefined && wanted.includes(row) ? [[row, similarity] as const] : [],
          ),
        ),
      ),
  }
  return {
    limits,
    lexical: (_, { limit, projects }) => {
      limits.push(limit)
      const hits = within(projects)
        .flatMap(({ row, share }) => (share === undefined ? [] : [{ row, score: share * 10 }]))
        .toSorted((a, b) => b.score - a.score)
      return { hits: hits.slice(0, limit), attainable: 10 }
    },
    embedder,
    vectors,
  }
}

const many = (count: number, row: (i: number) => Row): Row[] =>
  Array.from({ length: count }, (_, i) => row(i))

describe('both rankings', () => {
  const rows: Row[] = [
    { row: 1, share: 0.9, similarity: 0.2 },
    { row: 2, similarity: 0.7 },
    { row: 3, share: 0.1 },
  ]

  test('are combined, each row with its known scores', async () => {
    const found = await createHybridSearch(parts(rows)).find({ text: 'pool', limit: 5 })
    expect(found).toEqual({
      rows: [
        { row: 1, lexical: 0.9, similarity: 0.2, score: expect.any(Number) as unknown },
        { row: 2, similarity: 0.7, score: expect.any(Number) as unknown },
        { row: 3, lexical: 0.1, score: expect.any(Number) as unknown },
      ],
      considered: 3,
      leftOut: 0,
      more: 0,
      lacking: 1,
    })
  })

  test('report how many rows are beyond the limit', async () => {
    const found = await createHybridSearch(parts(rows)).find({ text: 'pool', limit: 1 })
    expect(found.rows.map(({ row }) => row)).toEqual([1])
    expect(found).toMatchObject({ considered: 3, more: 2 })
  })

  test('are limited to the requested projects', async () => {
    const search = createHybridSearch(
      parts([...rows, { row: 4, share: 1, similarity: 1, project: '/other' }]),
    )
    expect((await search.find({ text: 'pool', limit: 5, projects: ['/p'] })).rows).toHaveLength(3)
    expect((await search.find({ text: 'pool', limit: 5 })).rows[0]?.row).toBe(4)
  })

  test('a row found only by words is also compared by meaning', async () => {
    const crowd = many(300, (i) => ({ row: 100 + i, similarity: 0.5 }))
    const search = createHybridSearch(parts([...crowd, { row: 1, share: 0.9, similarity: 0.2 }]))
    const found = await search.find({ text: 'pool', limit: 1 })
    expect(found.rows).toMatchObject([{ row: 1, similarity: 0.2 }])
  })
})

describe('a judge', () => {
  const rows = many(1000, (i) => ({ row: i + 1, share: 1 - i / 2000, similarity: 0.5 }))

  test('excludes rows, and the result is filled with lower-ranked ones', async () => {
    const given = parts(rows)
    const found = await createHybridSearch(given).find({
      text: 'pool',
      limit: 5,
      judge: (seen) => new Map(seen.filter((row) => row > 500).map((row) => [row, 0.5])),
    })
    expect(found.rows.map(({ row }) => row)).toEqual([501, 502, 503, 504, 505])
    expect(found).toMatchObject({ considered: 1000, leftOut: 500, more: 495 })
    expect(given.limits.length).toBeGreaterThan(1)
  })

  test('that excludes everything is not called endlessly', async () => {
    const given = parts(rows)
    const found = await createHybridSearch(given).find({ text: 'pool', limit: 5, judge: () => new Map() })
    expect(found).toMatchObject({ rows: [], considered: 1000, leftOut: 1000, more: 0 })
    expect(given.limits.length).toBeLessThan(5)
  })

  test('provides the confidence of rows', async () => {
    const two = [1, 2].map((row) => ({ row, share: 0.5, similarity: 0.5 }))
    const judge = () =>
      new Map([
        [1, 0.1],
        [2, 0.9],
      ])
    const { rows: ranked } = await createHybridSearch(parts(two)).find({ text: 'pool', limit: 5, judge })
    expect(ranked.map(({ row, confidence }) => [row, confidence])).toEqual([
      [2, 0.9],
      [1, 0.1],
    ])
  })
})

describe('search uses words only', () => {
  const rows = [
    { row: 1, share: 0.5, similarity: 0.5 },
    { row: 2, similarity: 0.9 },
  ]
  const byWords = { rows: [{ row: 1, lexical: 0.5 }], considered: 1, more: 0 }
  const broken = (problem: string) => () =>
    Promise.reject(new ContextdError('EMBEDDER_UNAVAILABLE', { problem }))

  test('without an embedder', async () => {
    const { lexical } = parts(rows)
    const found = await createHybridSearch({ lexical }).find({ text: 'pool', limit: 5 })
    expect(found).toMatchObject(byWords)
    expect(found.note).toBeUndefined()
  })

  test('if the embedder fails, and says so', async () => {
    const search = createHybridSearch({
      ...parts(rows),
      embedder: { ...embedder, embed: broken('it sleeps') },
    })
    const found = await search.find({ text: 'pool', limit: 5 })
    expect(found).toMatchObject(byWords)
    expect(found.note).toContain('it sleeps')
  })

  test.each(['nearest', 'similarities'] as const)(
    'if the vector store fails at %s, and says so',
    async (name) => {
      const given = parts(rows)
      const vectors = { ...given.vectors!, [name]: broken('it sleeps') }
      const found = await createHybridSearch({ ...given, vectors }).find({ text: 'pool', limit: 5 })
      expect(found).toMatchObject(byWords)
      expect(found.note).toContain('it sleeps')
    },
  )

  test('without quoting unknown errors', async () => {
    const embed = () => Promise.reject(new Error('pool of secrets'))
    const search = createHybridSearch({ ...parts(rows), embedder: { ...embedder, embed } })
    const { note } = await search.find({ text: 'pool', limit: 5 })
    expect(note).toBeDefined()
    expect(note).not.toContain('secrets')
  })

  test('unless the caller aborted', async () => {
    const embed = () => Promise.reject(new Error('aborted'))
    const search = createHybridSearch({ ...parts(rows), embedder: { ...embedder, embed } })
    const signal = AbortSignal.abort(new Error('given up'))
    await expect(search.find({ text: 'pool', limit: 5, signal })).rejects.toThrow('given up')
  })
})

test('a query without words is answered by meaning only', async () => {
  const given = parts([
    { row: 1, share: 0.5, similarity: 0.5 },
    { row: 2, similarity: 0.9 },
  ])
  const found = await createHybridSearch(given).find({ text: '???', limit: 5 })
  expect(found.rows.map(({ row }) => row)).toEqual([2, 1])
  const { lexical } = given
  expect(await createHybridSearch({ lexical }).find({ text: '???', limit: 5 })).toMatchObject({ rows: [] })
})
