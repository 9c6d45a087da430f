import { onTestFinished, describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { openStore, type Store } from '../../platform/storage/store.ts'
import type { Embedder } from '../search/embedder.ts'
import { createSqliteVectors } from '../search/sqlite-vectors.ts'
import { createBank } from './bank.ts'
import type { MemoryUser } from '../memory-access.ts'
import { reembed } from './reembed.ts'

const tenant = 'local'
const user: MemoryUser = {
  reach: { tenant, project: '/p', session: 's', agent: 'operator', read: ['all'], write: ['all'] },
  archiver: { archive: (text) => text, recall: (text) => text },
}

function embedder(model: string, dimension: number, onBatch: () => void = () => {}): Embedder {
  return {
    model,
    dimension,
    async embed(texts) {
      onBatch()
      return texts.map((text) => {
        const vector = new Float32Array(dimension)
        vector[text.length % dimension] = 1
        return vector
      })
    },
  }
}

/** A store with this many memories, stored by a bank that embeds with `first`, if given. */
async function filled(count: number, first?: Embedder, store: Store = temporaryStore()) {
  const vectors = createSqliteVectors({ store, tenant, kind: 'memory' })
  const open = (using: Embedder | undefined) =>
    createBank({ store, tenant, clock: () => 1, ...(using && { embedder: using, vectors }) })
  const before = open(first)
  for (let n = 0; n < count; n++) {
    const words = { title: `lesson ${n}`, description: 'when', content: 'what', outcome: 'success' } as const
    await before.store(user, words)
  }
  const { archiver } = user
  const parts = (using: Embedder) => ({ store, tenant, bank: open(using), embedder: using, archiver })
  return { store, parts, open }
}

describe('reembed', () => {
  test('adds missing vectors of this model, and reports counts before and after', async () => {
    const old = embedder('old', 4)
    const { parts, store } = await filled(3, old)
    await filled(2, undefined, store)
    const seen: number[][] = []
    const answer = await reembed(parts(embedder('new', 8)), {
      onProgress: (...progress) => seen.push(progress),
    })
    expect(answer).toEqual({
      before: [{ model: 'old', dimension: 4, memories: 3 }, { memories: 2 }],
      after: [{ model: 'new', dimension: 8, memories: 5 }],
      done: 5,
      left: 0,
    })
    expect(seen).toEqual([[5, 5]])
    expect(await reembed(parts(embedder('new', 8)))).toMatchObject({ done: 0, left: 0 })
  })

  test('with `all` keeps existing vectors if the embedder is unavailable, and replaces them otherwise', async () => {
    const { parts } = await filled(3, embedder('old', 4))
    const away = embedder('old', 4, () => {
      throw new Error('away')
    })
    await expect(reembed(parts(away), { all: true })).rejects.toThrow('away')
    const answer = await reembed(parts(embedder('old', 4)), { all: true })
    expect(answer).toMatchObject({ before: [{ model: 'old', memories: 3 }], done: 3, left: 0 })
  })

  test('does not affect another tenant', async () => {
    const { parts } = await filled(2)
    const theirs = { ...parts(embedder('new', 8)), tenant: 'other' }
    expect(await reembed(theirs, { all: true })).toMatchObject({ before: [], after: [] })
    expect(await reembed(parts(embedder('other', 8)))).toMatchObject({ before: [{ memories: 2 }] })
  })

  test('recomputes all if requested, and the next run continues an interrupted one', async () => {
    const { parts } = await filled(150, embedder('new', 8))
    const stop = new AbortController()
    const cut = await reembed(parts(embedder('new', 8)), {
      all: true,
      signal: stop.signal,
      onProgress: () => stop.abort(),
    })
    expect(cut).toMatchObject({ done: 64, left: 86 })
    expect(await reembed(parts(embedder('new', 8)))).toMatchObject({ done: 86, left: 0 })
    expect(await reembed(parts(embedder('new', 8)), { all: true })).toMatchObject({ done: 150, left: 0 })
  })

  test('keeps finished vectors if the embedder fails', async () => {
    const { parts } = await filled(100)
    let batches = 0
    const failing = embedder('new', 8, () => {
      if (++batches > 1) throw new Error('gone')
    })
    await expect(reembed(parts(failing))).rejects.toThrow('gone')
    expect(await reembed(parts(embedder('new', 8)))).toMatchObject({ done: 36, left: 0 })
  })

  test('lets other writers run meanwhile, and stores no vector of outdated text', async () => {
    const { parts, store, open } = await filled(2)
    const second = openStore(store.path)
    onTestFinished(() => second.close())
    const [last] = open(undefined).list(user, {}).memories
    let isChanged = false
    const slow = embedder('new', 8, () => {
      if (isChanged) return
      isChanged = true
      second.transaction(() =>
        second.rows('memories', { tenant }).update({ content: 'newer', changed_at: 2 }, { id: last!.id }),
      )
    })
    expect(await reembed(parts(slow))).toMatchObject({ done: 1, left: 1 })
    expect(await reembed(parts(slow))).toMatchObject({ done: 1, left: 0 })
  })
})
