import { expect, test } from 'vitest'

import type { Embedder } from '../../src/memory/search/embedder.ts'

/** Requirements for every embedder. */
export function testEmbedder(open: () => Promise<Embedder>): void {
  const as = 'document'

  test('returns one unit vector per text, with the declared dimension', async () => {
    const embedder = await open()
    const vectors = await embedder.embed(['cancel a running request', 'bake bread'], { as })
    expect(vectors).toHaveLength(2)
    for (const vector of vectors) {
      expect(vector).toBeInstanceOf(Float32Array)
      expect(vector.length).toBe(embedder.dimension)
      expect(Math.hypot(...vector)).toBeCloseTo(1, 4)
    }
    expect(embedder.model).toMatch(/^[\w.:/-]+$/)
  })

  test('returns no vectors for no texts', async () => {
    expect(await (await open()).embed([], { as })).toEqual([])
  })

  test('preserves the order of many texts, and equal texts have equal vectors', async () => {
    const embedder = await open()
    const words = ['mutex', 'parser', 'network', 'database', 'keyboard', 'garden', 'music', 'engine']
    const texts = Array.from({ length: 70 }, (_, i) =>
      words.filter((__, bit) => ((i + 1) >> bit) & 1).join(' '),
    )
    const together = await embedder.embed(texts, { as })
    expect(together).toHaveLength(texts.length)
    for (const i of [0, 1, 31, 32, 33, 64, 69]) {
      const [alone] = await embedder.embed([texts[i]!], { as })
      expect(cosine(alone!, together[i]!), texts[i]).toBeCloseTo(1, 4)
    }
    expect(cosine(together[0]!, together[1]!)).toBeLessThan(0.999)
  })

  test('texts that share words are closer than others', async () => {
    const embedder = await open()
    const [query] = await embedder.embed(['how to stop a running http request'], { as: 'query' })
    const [near, far] = await embedder.embed(
      ['stop an http request that is running', 'a cake with apples, sugar and butter'],
      { as },
    )
    expect(cosine(query!, near!)).toBeGreaterThan(cosine(query!, far!))
  })

  test.each([
    ['nothing', ''],
    ['white space', ' \n\t '],
    ['other scripts and symbols', '日本語 😀 \u200b ∑'],
    ['a lone surrogate', 'half \ud83d'],
    ['a very long text', 'a long text about locks. '.repeat(40_000)],
    ['a very long word', 'x'.repeat(300_000)],
  ])('a text of %s has a vector, and does not affect its neighbours', async (_, text) => {
    const embedder = await open()
    const [before, odd, after] = await embedder.embed(['first words', text, 'last words'], { as })
    const [first, last] = await embedder.embed(['first words', 'last words'], { as })
    expect(Math.hypot(...odd!)).toBeCloseTo(1, 4)
    expect(cosine(before!, first!)).toBeCloseTo(1, 4)
    expect(cosine(after!, last!)).toBeCloseTo(1, 4)
  })

  test('stops when it is aborted', async () => {
    const embedder = await open()
    const signal = AbortSignal.abort(new Error('not wanted any more'))
    await expect(embedder.embed(['some words'], { as, signal })).rejects.toThrow('not wanted any more')
    expect(await embedder.embed(['some words'], { as })).toHaveLength(1)
  })
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, i) => sum + value * (other[i] ?? 0), 0)
}
