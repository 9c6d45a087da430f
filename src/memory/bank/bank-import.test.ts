import { expect, test } from 'vitest'

import { aMemory, aUser, temporaryBank } from '../../../test/support/memory-bank.ts'
import type { Memory } from './memory.ts'

const operator = aUser({ agent: 'operator', read: ['all'], write: ['all'] })

/** Memories as another store has them. */
async function foreign(...titles: string[]): Promise<Memory[]> {
  const { bank } = temporaryBank()
  const made: Memory[] = []
  for (const title of titles) {
    const { id } = (await bank.store(aUser({ project: '/theirs' }), aMemory({ title, tags: ['t'] }))).memory
    bank.feedback(operator, id, { helpful: true })
    made.push(...bank.get(operator, [id]))
  }
  return made
}

test('imported memories keep their ids, dates, owners and evidence, and are searchable', async () => {
  const { bank } = temporaryBank()
  const memories = await foreign('One', 'Two')
  const [one, two] = memories.map(({ id }) => id)
  expect(await bank.importBatch(operator, memories)).toEqual({
    added: [one, two],
    replaced: [],
    same: [],
    different: [],
  })
  expect(bank.list(operator, { scope: 'all' }).memories).toEqual(memories.toReversed())
  const found = await bank.search(operator, { text: 'two', scope: 'all', limit: 1 })
  expect(found.hits[0]?.memory.id).toBe(two)
  expect(bank.pending({ model: 'words', limit: 9 })).toEqual([])
})

test('a second import adds nothing; differing memories are only replaced on request', async () => {
  const { bank, store } = temporaryBank()
  const [one, two] = (await foreign('One', 'Two')) as [Memory, Memory]
  await bank.importBatch(operator, [one, two])
  const changed = { ...two, content: 'In other words now.' }
  expect(await bank.importBatch(operator, [one, changed])).toMatchObject({
    same: [one.id],
    different: [two.id],
  })
  expect(bank.get(operator, [two.id])[0]?.content).toBe(two.content)

  const dry = await bank.importBatch(operator, [one, changed], { replace: true, dryRun: true })
  expect(dry).toMatchObject({ added: [], same: [one.id], replaced: [two.id] })
  expect(bank.get(operator, [two.id])[0]?.content).toBe(two.content)

  expect(await bank.importBatch(operator, [one, changed], { replace: true })).toMatchObject({
    replaced: [two.id],
  })
  expect(bank.get(operator, [two.id])[0]?.content).toBe(changed.content)
  expect(store.prepare("SELECT count(*) AS many FROM vectors WHERE kind = 'memory'").get()?.many).toBe(2)
  expect(bank.list(operator, { scope: 'all' }).total).toBe(2)
})

test('all or nothing: one invalid memory prevents the whole import', async () => {
  const { bank, store } = temporaryBank()
  const [one, two] = (await foreign('One', 'Two')) as [Memory, Memory]
  const unfit: Memory[] = [
    { ...two, id: "no'id" },
    { ...two, title: '' },
    { ...two, project: 'a\0b' },
    { ...two, created: -1 },
    { ...two, evidence: { helped: Number.NaN, misled: 1 } },
    { ...two, sources: ['\n'] },
    { ...two, outcome: 'maybe' as 'success' },
  ]
  for (const memory of unfit)
    await expect(bank.importBatch(operator, [one, memory])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    })
  store
    .prepare(
      `CREATE TRIGGER damage AFTER INSERT ON memories WHEN new.title = 'Two' BEGIN
         UPDATE memories SET title = 'Three' WHERE seq = new.seq;
       END`,
    )
    .run()
  await expect(bank.importBatch(operator, [one, two])).rejects.toMatchObject({ code: 'MEMORY_NOT_KEPT' })
  expect(bank.list(operator, { scope: 'all' }).total).toBe(0)
  expect((await bank.importBatch(operator, [one])).added).toEqual([one.id])
})

test('importing requires write access to all scopes', async () => {
  const { bank } = temporaryBank()
  const memories = await foreign('One')
  await expect(bank.importBatch(aUser({ write: ['project', 'user'] }), memories)).rejects.toMatchObject({
    code: 'MEMORY_SCOPE_REFUSED',
  })
  expect(bank.list(operator, { scope: 'all' }).total).toBe(0)
})
