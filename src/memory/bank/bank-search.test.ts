import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { aMemory, aUser, temporaryBank, wordEmbedder } from '../../../test/support/memory-bank.ts'
import type { VectorIndex } from '../search/vector-index.ts'
import { createBank, type Bank, type FoundMemories } from './bank.ts'
import type { MemoryUser } from '../memory-access.ts'

const user = aUser()
const operator = aUser({ agent: 'operator', read: ['all'], write: ['all'] })

function wordsOnly(): Bank {
  return createBank({ store: temporaryStore(), tenant: 'local', clock: () => 1 })
}

const titles = ({ hits }: FoundMemories): string[] => hits.map(({ memory }) => memory.title)

describe('search', () => {
  test('ranks the best match first, and weighs the title more than the content', async () => {
    const bank = wordsOnly()
    await bank.store(
      user,
      aMemory({ title: 'Sessions', content: 'Restart the proxy when certificates change.' }),
    )
    await bank.store(user, aMemory({ title: 'Restart the proxy', content: 'It reads its sessions once.' }))
    const found = await bank.search(user, { text: 'restart proxy' })
    expect(titles(found)).toEqual(['Restart the proxy', 'Sessions'])
    expect(found.hits[0]!.score).toBeGreaterThan(found.hits[1]!.score)
  })

  test('matches the original task and parts of identifiers', async () => {
    const bank = wordsOnly()
    await bank.store(user, aMemory({ task: 'migrate the customers table' }))
    await bank.store(user, aMemory({ title: 'Call getUserById once', task: '' }))
    expect(titles(await bank.search(user, { text: 'customers' }))).toEqual([aMemory().title])
    expect(titles(await bank.search(user, { text: 'user by id' }))).toEqual(['Call getUserById once'])
  })

  test('reports how many memories were considered, filtered and left over', async () => {
    const bank = wordsOnly()
    for (let n = 0; n < 9; n++)
      await bank.store(
        user,
        aMemory({ outcome: n < 3 ? 'failure' : 'success', tags: n === 8 ? [] : ['Build'] }),
      )
    const found = await bank.search(user, {
      text: 'lock file',
      outcome: 'success',
      tags: ['build'],
      limit: 2,
    })
    expect(found).toMatchObject({ considered: 9, filtered: { outcome: 3, tags: 1 }, leftOver: 3 })
    expect(found.hits).toHaveLength(2)
    expect(found.empty).toBeUndefined()
    expect((await bank.search(user, { text: 'lock file' })).hits).toHaveLength(5)
  })

  test('confidence only excludes memories if requested, and reports that', async () => {
    const bank = wordsOnly()
    const { id } = (await bank.store(user, aMemory({ confidence: 0.1 }))).memory
    for (let n = 0; n < 5; n++) bank.feedback(user, id, { helpful: false })
    expect((await bank.search(user, { text: 'lock file' })).hits).toHaveLength(1)
    const found = await bank.search(user, { text: 'lock file', minConfidence: 0.5 })
    expect(found).toMatchObject({ hits: [], considered: 1, filtered: { confidence: 1 } })
    expect(found.empty).toContain('1 by confidence')
  })

  test('helpful memories rank before misleading ones, all else being equal', async () => {
    const bank = wordsOnly()
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push((await bank.store(user, aMemory())).memory.id)
    for (let n = 0; n < 4; n++) {
      bank.feedback(user, ids[2]!, { helpful: true, outcome: 'success' })
      bank.feedback(user, ids[0]!, { helpful: false })
    }
    const found = await bank.search(user, { text: 'lock file' })
    expect(found.hits.map(({ memory }) => memory.id)).toEqual([ids[2], ids[1], ids[0]])
  })

  test('being found does not change a memory', async () => {
    const { bank } = temporaryBank()
    const { memory } = await bank.store(user, aMemory())
    for (let n = 0; n < 3; n++) await bank.search(user, { text: 'lock file' })
    expect(bank.list(user).memories).toEqual([memory])
    bank.get(user, [memory.id])
    expect(bank.list(user).memories[0]).toMatchObject({
      confidence: memory.confidence,
      evidence: memory.evidence,
    })
  })

  test('an empty result says why', async () => {
    const bank = wordsOnly()
    const why = async (text: string, who = user): Promise<string | undefined> =>
      (await bank.search(who, { text })).empty
    expect(await why('anything')).toBe('no memories here yet')
    expect(await why('anything', operator)).toBe('no memories here yet; try scope all')
    await bank.store(user, aMemory())
    expect(await why('zebra')).toBe('the only memory does not match; try other words')
    expect(await why('zebra', operator)).toBe('the only memory does not match; try other words, or scope all')
    expect(await why('?!')).toBe('the query contains no words; 1 memory exists')
    expect(await why('lock')).toBeUndefined()
    await expect(why(' ')).rejects.toMatchObject({ code: 'INVALID_ARGUMENTS' })
  })

  test('reports when no hit shares a word, and when vectors are missing', async () => {
    const { bank } = temporaryBank()
    await bank.store(user, aMemory())
    const found = await bank.search(user, { text: 'zzzz' })
    expect(found).toMatchObject({ note: expect.stringContaining('closest in meaning') as unknown })
    expect((await bank.search(user, { text: 'lock file' })).note).toBeUndefined()

    const store = temporaryStore()
    await createBank({ store, tenant: 'local', clock: () => 1 }).store(user, aMemory())
    const later = temporaryBank({ store }).bank
    const byWords = await later.search(user, { text: 'lock file' })
    expect(byWords.hits).toHaveLength(1)
    expect(byWords.note).toContain('reembed')
  })

  test('searches only the requested scopes', async () => {
    const { bank } = temporaryBank()
    await bank.store(user, aMemory({ title: 'Here' }))
    await bank.store(aUser({ project: '/elsewhere' }), aMemory({ title: 'Elsewhere' }))
    await bank.store(operator, aMemory({ title: 'Everywhere', scope: 'user' }))
    const found = async (who: typeof user, scope?: 'project' | 'user' | 'all') =>
      titles(await bank.search(who, { text: 'lock file', scope })).sort()
    expect(await found(user)).toEqual(['Here'])
    expect(await found(aUser({ read: ['project', 'user'] }))).toEqual(['Everywhere', 'Here'])
    expect(await found(aUser({ read: ['user'] }))).toEqual(['Everywhere'])
    expect(await found(operator)).toEqual(['Everywhere', 'Here'])
    expect(await found(operator, 'user')).toEqual(['Everywhere'])
    expect(await found(operator, 'project')).toEqual(['Here'])
    expect(await found(operator, 'all')).toEqual(['Elsewhere', 'Everywhere', 'Here'])
  })

  test('accepts any query', async () => {
    const { bank } = temporaryBank()
    await bank.store(user, aMemory())
    for (const text of [
      '"',
      "'; DROP TABLE memories; --",
      'title:lock NEAR(',
      '* OR *',
      '\0',
      'lock '.repeat(50_000),
    ])
      await bank.search(user, { text })
    expect(bank.list(user).total).toBe(1)
  })
})

describe('similar memories', () => {
  test('are reported, most similar first', async () => {
    const { bank } = temporaryBank()
    const first = (await bank.store(user, aMemory())).memory
    await bank.store(user, aMemory({ title: 'Zebras', description: 'Stripes.', content: 'They run.' }))
    const again = (await bank.store(user, aMemory({ title: 'Look at the lock file' }))).memory
    expect(await bank.similar(user, again.id)).toEqual([
      { id: first.id, title: first.title, similarity: expect.closeTo(1, 0) as unknown },
    ])
  })

  test('are found without vectors, too', async () => {
    const bank = wordsOnly()
    const first = (await bank.store(user, aMemory())).memory
    const again = (await bank.store(user, aMemory())).memory
    const other = (
      await bank.store(user, aMemory({ description: 'Of zebras.', content: 'A lock on a file.' }))
    ).memory
    expect(await bank.similar(user, again.id)).toEqual([{ id: first.id, title: first.title, similarity: 1 }])
    expect(await bank.similar(user, other.id)).toEqual([])
  })

  test('can be merged: one represents all with their feedback, and all keep their text', async () => {
    const { bank } = temporaryBank()
    const ids: string[] = []
    for (const title of ['Keep', 'Second', 'Third'])
      ids.push((await bank.store(user, aMemory({ title }))).memory.id)
    const [keep = '', second = '', third = ''] = ids
    bank.feedback(user, second, { helpful: true })
    bank.feedback(user, second, { helpful: true, comment: 'Said again.' })
    bank.feedback(user, third, { helpful: false })
    bank.feedback(user, third, { helpful: true, outcome: 'success' })
    const merged = bank.merge(user, keep, [second, third, third])
    expect(merged).toMatchObject({ title: 'Keep', evidence: { helped: 4 + 1 + 1.5, misled: 1 + 1 } })
    expect(titles(await bank.search(user, { text: 'lock file' }))).toEqual(['Keep'])
    expect(await bank.search(user, { text: 'lock file' })).toMatchObject({ considered: 1, leftOver: 0 })
    expect(bank.list(user).total).toBe(1)
    expect(bank.list(user, { merged: true }).total).toBe(3)
    expect(bank.get(user, [second])[0]).toMatchObject({ title: 'Second', mergedInto: keep })

    // Deleting the memory they were merged into restores them.
    expect(await bank.remove(user, [keep])).toEqual({ restored: [second, third] })
    expect(titles(await bank.search(user, { text: 'lock file' })).sort()).toEqual(['Second', 'Third'])
  })

  test('cannot be merged in cycles', async () => {
    const { bank } = temporaryBank()
    const [a = '', b = '', c = ''] = await Promise.all(
      ['A', 'B', 'C'].map(async (title) => (await bank.store(user, aMemory({ title }))).memory.id),
    )
    bank.feedback(user, b, { helpful: true })
    bank.merge(user, a, [b])
    const wrong = [
      () => bank.merge(user, a, [a]),
      () => bank.merge(user, b, [a]),
      () => bank.merge(user, c, [b]),
    ]
    for (const merge of wrong) expect(merge).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENTS' }))
    // Chained merges are allowed, and the feedback of the first counts for the last.
    expect(bank.merge(user, c, [a]).evidence).toEqual({ helped: 4 + 1, misled: 1 })
    expect(bank.list(user).memories.map(({ id }) => id)).toEqual([c])
  })
})

describe('feedback', () => {
  test('counts once per agent and session, and again from another', async () => {
    const { bank } = temporaryBank()
    const { id } = (await bank.store(user, aMemory())).memory
    const first = bank.feedback(user, id, { helpful: true })
    expect(bank.feedback(user, id, { helpful: true })).toEqual({ before: first.after, after: first.after })
    const other = bank.feedback(aUser({ session: 's2' }), id, { helpful: true })
    expect(other.after).toBeGreaterThan(first.after)
  })

  test('changes the confidence permanently', async () => {
    const { bank, store } = temporaryBank()
    const { id } = (await bank.store(user, aMemory())).memory
    const up = bank.feedback(user, id, { helpful: true, outcome: 'success', comment: 'saved an hour' })
    expect(up).toEqual({ before: 0.8, after: expect.closeTo(5.5 / 6.5) as unknown })
    const down = bank.feedback(aUser({ agent: 'other', session: 's2' }), id, { helpful: false })
    expect(down).toEqual({ before: up.after, after: expect.closeTo(5.5 / 7.5) as unknown })
    expect(temporaryBank({ store }).bank.get(user, [id])[0]?.confidence).toBe(down.after)
    const rows = store.prepare('SELECT agent, session, helpful, outcome, comment FROM memory_feedback').all()
    expect(rows).toEqual([
      { agent: 'main', session: 'session-1', helpful: 1, outcome: 'success', comment: 'saved an hour' },
      { agent: 'other', session: 's2', helpful: 0, outcome: null, comment: '' },
    ])
  })

  test('changes nothing if it cannot be stored', async () => {
    const { bank } = temporaryBank()
    const { id } = (await bank.store(user, aMemory())).memory
    expect(() => bank.feedback(user, id, { helpful: true, comment: 'x'.repeat(2001) })).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENTS' }),
    )
    expect(bank.get(user, [id])[0]?.confidence).toBe(0.8)
  })
})

test('an untrustworthy vector store cannot expose memories of other callers', async () => {
  const store = temporaryStore()
  const rows: number[] = []
  const vectors: VectorIndex = {
    put: (some) => void rows.push(...some.map(({ row }) => row)),
    remove: () => {},
    nearest: async () => rows.map((row) => ({ row, similarity: 0.9 })),
    similarities: async () => new Map(),
  }
  const bank = createBank({ store, tenant: 'local', clock: () => 1, embedder: wordEmbedder(), vectors })
  const everything = aUser({ read: ['all'], write: ['all'] })
  await bank.store(aUser({ project: '/other' }), aMemory({ title: 'Of another project' }))
  await bank.store(everything, aMemory({ title: 'Of the person', scope: 'user' }))
  const { memory } = await bank.store(aUser(), aMemory({ title: 'Own' }))
  const found = async (asker: MemoryUser, scope?: 'user' | 'all') => {
    const { hits, considered, leftOver } = await bank.search(asker, { text: 'zebra', scope })
    return [hits.map(({ memory: { title } }) => title).sort(), considered, leftOver]
  }
  expect(await found(aUser())).toEqual([['Own'], 1, 0])
  expect(await found(everything, 'user')).toEqual([['Of the person'], 1, 0])
  expect(await found(everything, 'all')).toEqual([['Of another project', 'Of the person', 'Own'], 3, 0])
  expect(await bank.similar(aUser(), memory.id)).toEqual([])
})
