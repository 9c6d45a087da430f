import { describe, expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import {
  aMemory,
  aUser,
  brokenEmbedder,
  temporaryBank,
  wordEmbedder,
} from '../../../test/support/memory-bank.ts'
import { createBank } from './bank.ts'
import type { Embedder } from '../search/embedder.ts'
import type { VectorIndex } from '../search/vector-index.ts'

const user = aUser()
const operator = aUser({ agent: 'operator', read: ['all'], write: ['all'] })
const refused = (code: string) => expect.objectContaining({ code }) as unknown

describe('store', () => {
  test('stores the text verbatim, with its author and time', async () => {
    const { bank, clock } = temporaryBank()
    const told = aMemory({
      content: '  Line one.\r\n\tLine "two" with \u{1f600} and \\backslashes\\.  \n',
      task: 'make the build green',
      tags: ['build', 'npm'],
      confidence: 0.6,
    })
    const { memory, note } = await bank.store(aUser({ branch: 'br_1' }), told)
    expect(note).toBeUndefined()
    expect(memory).toEqual({
      ...told,
      id: expect.stringMatching(/^mem_[a-z0-9]{12}$/) as unknown,
      sources: [],
      scope: 'project',
      evidence: { helped: 3, misled: 2 },
      project: '/project',
      session: 'session-1',
      agent: 'main',
      branch: 'br_1',
      created: clock.now,
      changed: clock.now,
    })
    clock.now += 1000
    expect(bank.get(user, [memory.id], { isPeek: true })).toEqual([memory])
    expect(bank.get(user, [memory.id])).toEqual([{ ...memory, used: clock.now }])
  })

  test.each([
    ['title', { title: ' ' }, 'text that is not empty'],
    ['description', { description: '' }, 'text that is not empty'],
    ['content', { content: '\n' }, 'text that is not empty'],
    ['content', { content: 'x'.repeat(50_001) }, 'at most 50000 characters'],
    ['content', { content: 'PK\u0003\u0004' }, 'text without binary or control characters'],
    ['content', { content: 'cut\0off' }, 'text without binary or control characters'],
    ['title', { title: 'half a pair \ud83d' }, 'text without binary or control characters'],
    ['title', { title: 'x'.repeat(201) }, 'at most 200 characters'],
    ['task', { task: 'x'.repeat(4001) }, 'at most 4000 characters'],
    ['tags', { tags: Array.from({ length: 21 }, String) }, 'at most 20 items'],
    ['tags[1]', { tags: ['a', ''] }, 'text that is not empty'],
    ['confidence', { confidence: 1.5 }, 'from 0 to 1'],
    ['confidence', { confidence: Number.NaN }, 'from 0 to 1'],
  ])('rejects an invalid %s and stores nothing', async (field, parts, expected) => {
    const { bank } = temporaryBank()
    await expect(bank.store(user, aMemory(parts))).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
      details: { fields: [{ field, expected }] },
    })
    expect(bank.list(user).total).toBe(0)
  })

  test('accepts texts of the maximum length', async () => {
    const { bank } = temporaryBank()
    const content = 'word '.repeat(10_000)
    const { memory } = await bank.store(user, aMemory({ content }))
    expect(bank.get(user, [memory.id])[0]?.content).toBe(content)
  })

  test('a memory that does not read back as written is not stored', async () => {
    const { bank, store } = temporaryBank()
    await bank.store(user, aMemory())
    store
      .prepare(
        `CREATE TRIGGER damage AFTER INSERT ON memories BEGIN
         UPDATE memories SET content = 'something else' WHERE seq = new.seq;
       END`,
      )
      .run()
    await expect(bank.store(user, aMemory({ title: 'Damaged on its way' }))).rejects.toMatchObject({
      code: 'MEMORY_NOT_KEPT',
    })
    expect(bank.list(user).total).toBe(1)
    expect(
      (await bank.search(user, { text: 'damaged on its way' })).hits.map(({ memory }) => memory.title),
    ).toEqual([aMemory().title])
  })

  test('a scope outside the rules is refused, one within them is not', async () => {
    const { bank } = temporaryBank()
    await expect(bank.store(user, aMemory({ scope: 'user' }))).rejects.toEqual(
      refused('MEMORY_SCOPE_REFUSED'),
    )
    await expect(bank.store(aUser({ write: [] }), aMemory())).rejects.toEqual(refused('MEMORY_SCOPE_REFUSED'))
    expect(bank.list(operator).total).toBe(0)
    const { memory } = await bank.store(aUser({ write: ['user'] }), aMemory({ scope: 'user' }))
    expect(bank.list(operator).memories.map(({ id }) => id)).toEqual([memory.id])
  })

  test('a text that cannot be checked for secrets is not stored', async () => {
    const { bank } = temporaryBank()
    const archive = (text: string): string => {
      if (text.includes('lock file had')) throw new Error('no verdict')
      return text
    }
    await expect(bank.store(aUser({}, { archive, recall: String }), aMemory())).rejects.toThrow('no verdict')
    expect(bank.list(user).total).toBe(0)
  })
})

describe('without vectors', () => {
  test('a memory is stored and found by words if the embedder fails', async () => {
    const { bank, store } = temporaryBank({ embedder: brokenEmbedder() })
    const { memory, note } = await bank.store(user, aMemory())
    expect(note).toContain('nobody answers')
    const found = await bank.search(user, { text: 'merged lock file' })
    expect(found.hits.map((hit) => hit.memory.id)).toEqual([memory.id])
    expect(found.note).toContain('nobody answers')
    expect(store.prepare('SELECT vector_model FROM memories').get()?.vector_model).toBeNull()
  })

  test('a failing external vector store does not prevent storing, and a working one is awaited', async () => {
    const store = temporaryStore()
    let isUp = false
    const rows: number[] = []
    const vectors: VectorIndex = {
      put: async (list) => {
        await Promise.resolve()
        if (!isUp) throw new Error('a message with private parts')
        rows.push(...list.map(({ row }) => row))
      },
      remove: async (gone) => {
        if (!isUp) throw new Error('a message with private parts')
        rows.splice(0, rows.length, ...rows.filter((row) => !gone.includes(row)))
      },
      nearest: async () => [],
      similarities: async () => new Map(),
    }
    const bank = createBank({ store, tenant: 'local', clock: () => 1, embedder: wordEmbedder(), vectors })
    const lost = await bank.store(user, aMemory())
    expect(lost.note).toBe('stored without a vector: the embedder or the vector store failed')
    expect(bank.pending({ model: 'words', limit: 10 })).toHaveLength(1)

    isUp = true
    const kept = await bank.store(user, aMemory({ title: 'Another' }))
    expect(kept.note).toBeUndefined()
    expect(bank.pending({ model: 'words', limit: 10 })).toHaveLength(1)

    const [pending] = bank.pending({ model: 'words', limit: 10 })
    const [vector] = await wordEmbedder().embed([pending!.text], { as: 'document' })
    expect(await bank.putVectors([{ ...pending!, vector: vector! }], 'words')).toBe(1)
    expect(bank.pending({ model: 'words', limit: 10 })).toEqual([])
    expect(rows).toHaveLength(2)

    isUp = false
    expect((await bank.remove(user, [kept.memory.id])).note).toContain('may still exist')
    expect(bank.list(user).total).toBe(1)
  })

  test('works without an embedder', async () => {
    const store = temporaryStore()
    const bank = createBank({ store, tenant: 'local', clock: () => 1 })
    const { memory, note } = await bank.store(user, aMemory())
    expect(note).toBeUndefined()
    expect((await bank.search(user, { text: 'lock' })).hits.map((hit) => hit.memory.id)).toEqual([memory.id])
  })
})

test('a vector of outdated text is not stored', async () => {
  const { bank } = temporaryBank({ embedder: wordEmbedder('old') })
  const { memory } = await bank.store(user, aMemory())
  const [pending] = bank.pending({ model: 'new', limit: 10 })
  await bank.edit(user, memory.id, { title: 'Something else by now' })
  const [vector] = await wordEmbedder('new').embed([pending!.text], { as: 'document' })
  expect(await bank.putVectors([{ ...pending!, vector: vector! }], 'new')).toBe(0)
  const [fresh] = bank.pending({ model: 'new', limit: 10 })
  expect(await bank.putVectors([{ ...fresh!, vector: vector! }], 'new')).toBe(1)
})

describe('access', () => {
  test('ids of another tenant, another project or an unreadable scope look nonexistent', async () => {
    const { bank, store } = temporaryBank()
    const other = temporaryBank({ store, tenant: 'other' }).bank
    const otherUser = aUser({ tenant: 'other', read: ['all'], write: ['all'] })
    const theirs = (await other.store(otherUser, aMemory())).memory.id
    const elsewhere = (await bank.store(aUser({ project: '/elsewhere' }), aMemory())).memory.id
    const personal = (await bank.store(operator, aMemory({ scope: 'user' }))).memory.id
    const mine = (await bank.store(user, aMemory())).memory.id

    for (const id of [theirs, elsewhere, personal, 'mem_nosuchmemory', '', '%', 'a\0b']) {
      expect(() => bank.get(user, [mine, id])).toThrow(refused('MEMORY_NOT_FOUND'))
      expect(() => bank.feedback(user, id, { helpful: true })).toThrow(refused('MEMORY_NOT_FOUND'))
      expect(() => bank.merge(user, mine, [id])).toThrow(refused('MEMORY_NOT_FOUND'))
      await expect(bank.edit(user, id, { title: 'Mine now' })).rejects.toEqual(refused('MEMORY_NOT_FOUND'))
      await expect(bank.remove(user, [mine, id])).rejects.toEqual(refused('MEMORY_NOT_FOUND'))
      await expect(bank.similar(user, id)).rejects.toEqual(refused('MEMORY_NOT_FOUND'))
    }
    expect(bank.get(user, [mine])).toHaveLength(1)
    expect(bank.get(operator, [elsewhere, personal])).toHaveLength(2)
    expect(other.get(otherUser, [theirs])[0]?.title).toBe(aMemory().title)
    expect(() => bank.get(operator, [theirs])).toThrow(refused('MEMORY_NOT_FOUND'))
  })

  test('a caller with read access only cannot change anything', async () => {
    const { bank } = temporaryBank()
    const { id } = (await bank.store(user, aMemory())).memory
    const reader = aUser({ write: ['user'] })
    expect(bank.get(reader, [id])).toHaveLength(1)
    expect(() => bank.feedback(reader, id, { helpful: false })).toThrow(refused('MEMORY_SCOPE_REFUSED'))
    await expect(bank.edit(reader, id, { title: 'x' })).rejects.toEqual(refused('MEMORY_SCOPE_REFUSED'))
    await expect(bank.remove(reader, [id])).rejects.toEqual(refused('MEMORY_SCOPE_REFUSED'))
    expect(bank.get(user, [id])[0]).toMatchObject({ title: aMemory().title, confidence: 0.8 })
  })

  test('searches and lists require a readable scope', async () => {
    const { bank } = temporaryBank()
    await bank.store(user, aMemory())
    for (const scope of ['user', 'all'] as const) {
      await expect(bank.search(user, { text: 'lock', scope })).rejects.toEqual(
        refused('MEMORY_SCOPE_REFUSED'),
      )
      expect(() => bank.list(user, { scope })).toThrow(refused('MEMORY_SCOPE_REFUSED'))
    }
    await expect(bank.search(aUser({ read: [] }), { text: 'lock' })).rejects.toEqual(
      refused('MEMORY_SCOPE_REFUSED'),
    )
    expect(() => bank.list(user, { project: '/elsewhere' })).toThrow(refused('MEMORY_SCOPE_REFUSED'))
    expect((await bank.search(user, { text: 'lock', scope: 'project' })).hits).toHaveLength(1)
  })
})

describe('edit', () => {
  test('changes only the given fields, and only the new words match', async () => {
    const { bank, clock } = temporaryBank()
    const { memory } = await bank.store(user, aMemory({ tags: ['a'], task: 'the task' }))
    clock.now += 5
    const edited = await bank.edit(user, memory.id, { title: 'Chameleons', outcome: 'failure' })
    expect(edited.memory).toEqual({ ...memory, title: 'Chameleons', outcome: 'failure', changed: clock.now })
    const hits = async (text: string) =>
      (await bank.search(user, { text })).hits.map(({ lexical: words }) => words)
    expect(await hits('chameleons')).toEqual([expect.any(Number)])
    // It may still be similar in meaning, but matches no word.
    expect(await hits('first')).toEqual([undefined])
  })

  test('invalid changes change nothing', async () => {
    const { bank } = temporaryBank()
    const { memory } = await bank.store(user, aMemory())
    await expect(bank.edit(user, memory.id, { title: '', content: 'new' })).rejects.toEqual(
      refused('INVALID_ARGUMENTS'),
    )
    expect(bank.get(user, [memory.id])[0]?.content).toBe(memory.content)
  })

  test('moving to another scope requires write access to both', async () => {
    const { bank } = temporaryBank()
    const { id } = (await bank.store(user, aMemory())).memory
    await expect(bank.edit(user, id, { scope: 'user' })).rejects.toEqual(refused('MEMORY_SCOPE_REFUSED'))
    await bank.edit(operator, id, { scope: 'user' })
    expect((await bank.search(operator, { text: 'lock', scope: 'user' })).hits).toHaveLength(1)
    expect((await bank.search(operator, { text: 'lock', scope: 'project' })).hits).toHaveLength(0)
  })
})

test('removing a memory also removes its words, vector and feedback', async () => {
  const { bank, store } = temporaryBank()
  const { id } = (await bank.store(user, aMemory())).memory
  bank.feedback(user, id, { helpful: true, comment: 'yes' })
  const left = () =>
    ['memories', 'memory_words', 'memory_feedback', "vectors WHERE kind = 'memory'"].map(
      (table) => store.prepare(`SELECT count(*) AS many FROM ${table}`).get()?.many,
    )
  expect(left()).toEqual([1, 1, 1, 1])
  expect(await bank.remove(user, [id])).toEqual({ restored: [] })
  expect(left()).toEqual([0, 0, 0, 0])
  expect((await bank.search(user, { text: 'lock file' })).hits).toEqual([])
})

test('lists are paged, newest first, and can be filtered', async () => {
  const { bank } = temporaryBank()
  for (let n = 0; n < 7; n++) {
    const outcome = n % 2 === 0 ? 'success' : 'failure'
    await bank.store(user, aMemory({ title: `Lesson ${n}`, outcome, tags: n < 2 ? ['Early'] : [] }))
  }
  const titles: string[] = []
  for (let after: number | undefined, isFirst = true; isFirst || after !== undefined; isFirst = false) {
    const page = bank.list(user, { limit: 3, after })
    expect(page.total).toBe(7)
    titles.push(...page.memories.map(({ title }) => title))
    after = page.next
  }
  expect(titles).toEqual([6, 5, 4, 3, 2, 1, 0].map((n) => `Lesson ${n}`))
  expect(bank.list(user, { outcome: 'failure' }).total).toBe(3)
  expect(bank.list(user, { tag: 'early' }).total).toBe(2)
})

test('a memory is stored without a vector if the embedder never responds', async () => {
  const never: Embedder = {
    ...wordEmbedder(),
    embed: (_, { signal }) =>
      new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('aborted')))),
  }
  const { bank } = temporaryBank({ embedder: never })
  const { memory, note } = await bank.store(aUser(), aMemory(), { embedMs: 1 })
  expect(note).toContain('stored without a vector')
  expect(bank.get(aUser(), [memory.id])).toHaveLength(1)
})
