import { onTestFinished, describe, expect, test } from 'vitest'

import { sampleSecrets, temporaryRegistry, type TestRegistry } from '../../../test/support/registry.ts'
import { openStore } from '../../platform/storage/store.ts'
import { createBank, type Bank } from './bank.ts'
import { exportMemories, markdownFileName } from './export.ts'
import { importMemories, validMemories, type ImportParts } from './import.ts'
import { fromJsonLine, toJsonLine, type PortableMemory } from './jsonl.ts'
import type { Memory, NewMemory } from './memory.ts'
import type { MemoryUser } from '../memory-access.ts'

const tenant = 'local'
const defaults = { project: '/work/shop', agent: 'operator', session: 's', now: 1_700_000_000_000 }

/** A separate store with everything that stores and finds memories in it. */
function place(shared: TestRegistry = temporaryRegistry()) {
  const { store, registry, scrubber, clock } = shared
  const bank = createBank({ store, tenant, clock: () => clock.now })
  const userIn = (session: string): MemoryUser => ({
    reach: { tenant, project: '/work/shop', session, agent: 'operator', read: ['all'], write: ['all'] },
    archiver: {
      archive: (text) => registry.archive(scrubber.scrub(text, { tenant, session }).text, session),
      recall: (text) => registry.recall(text, session),
    },
  })
  const user = userIn('person')
  const rows = () => store.rows('memories', { tenant }).all()
  return {
    bank,
    user,
    rows,
    store,
    registry,
    shared,
    add: async (title: string, more: Partial<NewMemory> = {}): Promise<Memory> =>
      (await bank.store(user, { title, description: 'when', content: 'what', outcome: 'success', ...more }))
        .memory,
    exported: (session: string) => [...exportMemories(bank, userIn(session), session)],
    parts: (known: readonly string[] = []): ImportParts => ({
      bank,
      user: userIn('import'),
      userOfExport: (session) => (known.includes(session) ? userIn(session) : undefined),
      exists: (id) => store.rows('memories', { tenant }).first({ id }) !== undefined,
    }),
  }
}

const carried = (found: readonly PortableMemory[]): PortableMemory[] =>
  validMemories(
    found.map((portable, index) => {
      const at = { file: 'x.jsonl', line: index + 1 }
      return { ...at, parsed: fromJsonLine(toJsonLine(portable), at, defaults) }
    }),
    () => false,
  )

describe('from one store to another', () => {
  test('everything is transferred and searchable, and a second import adds nothing', async () => {
    const from = place()
    const first = await from.add('Wait for the port', {
      tags: ['tests'],
      task: 'fix the tests',
      scope: 'user',
    })
    const second = await from.add('Ask the port until it answers', { outcome: 'failure' })
    from.bank.feedback(from.user, first.id, { helpful: true, outcome: 'success' })
    from.bank.merge(from.user, first.id, [second.id])
    const memories = carried(from.exported('export-1'))
    expect(memories.map(({ tokensOf }) => tokensOf)).toEqual([undefined, undefined])

    const to = place()
    const added = await importMemories(to.parts(), memories)
    expect(added).toEqual({ added: [second.id, first.id], replaced: [], same: [], different: [] })
    const all = (found: ReturnType<typeof place>): PortableMemory[] =>
      carried(found.exported('export-2')).sort((a, b) => a.memory.id.localeCompare(b.memory.id))
    expect(all(to)).toEqual(all(from))
    const { hits } = await to.bank.search(to.user, { text: 'port', scope: 'all' })
    expect(hits.map(({ memory }) => memory.id)).toEqual([first.id])

    const again = await importMemories(to.parts(), memories)
    expect(again).toEqual({ added: [], replaced: [], same: [second.id, first.id], different: [] })
    expect(to.rows()).toHaveLength(2)
  })

  test('lists there are newest first, too', async () => {
    const from = place()
    for (const title of ['one', 'two', 'three']) {
      from.shared.clock.now += 1000
      await from.add(title)
    }
    const to = place()
    await importMemories(to.parts(), carried(from.exported('export-1')))
    const { memories } = to.bank.list(to.user, { scope: 'all' })
    expect(memories.map(({ title }) => title)).toEqual(['three', 'two', 'one'])
  })

  test('a memory merged into a missing one is still found', async () => {
    const to = place()
    const [{ memory }] = carried([...place().exported('x'), ...(await oneExported({}))]) as [PortableMemory]
    await importMemories(to.parts(), [{ memory: { ...memory, mergedInto: 'mem_gone' } }])
    expect((await to.bank.search(to.user, { text: memory.title, scope: 'all' })).hits).toHaveLength(1)
    expect(to.rows()[0]).toMatchObject({ merged_into: null })
  })
})

async function oneExported(more: Partial<NewMemory>): Promise<PortableMemory[]> {
  const from = place()
  await from.add('Wait for the port', more)
  return from.exported('export-1')
}

describe('an existing memory with different content', () => {
  test('is reported, and only replaced on request', async () => {
    const here = place()
    const { id } = await here.add('Wait for the port')
    const memories = carried(here.exported('export-1'))
    await here.bank.edit(here.user, id, { content: 'something newer' })

    expect(await importMemories(here.parts(), memories)).toMatchObject({ added: [], different: [id] })
    expect(here.rows()).toMatchObject([{ content: 'something newer' }])
    const dry = await importMemories(here.parts(), memories, { replace: true, dryRun: true })
    expect(dry).toMatchObject({ replaced: [id], different: [] })
    expect(here.rows()).toMatchObject([{ content: 'something newer' }])

    expect(await importMemories(here.parts(), memories, { replace: true })).toMatchObject({ replaced: [id] })
    expect(here.rows()).toMatchObject([{ content: 'what' }])
    expect((await here.bank.search(here.user, { text: 'newer', scope: 'all' })).hits).toEqual([])
  })
})

describe('secrets', () => {
  const [secret = '', other = ''] = sampleSecrets(2)

  test('of an export are tokens, which refer to the same secrets in the store they came from', async () => {
    const here = place()
    await here.add('Log in', { content: `use ${secret}` })
    const found = here.exported('export-1')
    expect(found).toMatchObject([{ memory: { content: 'use [SECRET_1]' }, tokensOf: 'export-1' }])
    const memories = carried(found)

    expect(await importMemories(here.parts(['export-1']), memories)).toMatchObject({
      added: [],
      different: [],
    })
    const [{ memory }] = memories as [PortableMemory]
    const renamed = [{ memory: { ...memory, id: 'mem_2' }, tokensOf: 'export-1' }]
    await importMemories(here.parts(['export-1']), renamed)
    const contents = here.rows().map(({ content }) => content)
    expect(contents).toEqual([expect.stringMatching(/^use \[SECRET:[0-9a-f]{12}\]$/), contents[0]])
  })

  test('of another store are removed, so that no reader mistakes them for its own', async () => {
    const memories = carried(await oneExported({ content: `use ${secret}` }))
    const to = place()
    // A secret found during the import receives the same number there.
    const own = { memory: { ...memories[0]!.memory, id: 'mem_0', content: `or ${other}` } }
    await importMemories(to.parts(), [own, ...memories])
    expect(to.rows().map(({ content }) => content)).toEqual([
      expect.stringMatching(/^or \[SECRET:[0-9a-f]{12}\]$/),
      'use [SECRET_FORGOTTEN]',
    ])
    expect(JSON.stringify(to.rows())).not.toContain(other)
  })

  test('in any field of a file are not stored', async () => {
    const to = place()
    const [{ memory }] = carried(await oneExported({})) as [PortableMemory]
    const spread = { title: secret, description: secret, content: secret, task: secret, tags: [secret] }
    await importMemories(to.parts(), [{ memory: { ...memory, ...spread } }])
    expect(JSON.stringify(to.rows())).not.toContain(secret)
    expect(JSON.stringify({ ...memory, ...spread })).toContain(secret)
  })
})

describe('an interrupted import', () => {
  const many = async (count: number): Promise<PortableMemory[]> => {
    const [{ memory }] = carried(await oneExported({})) as [PortableMemory]
    return Array.from({ length: count }, (_, n) => ({
      memory: { ...memory, id: `mem_${n}`, title: `lesson ${n}` },
    }))
  }

  test('is completed by the next one', async () => {
    const to = place()
    const memories = await many(250)
    const stop = new AbortController()
    const seen: number[] = []
    const cut = await importMemories(to.parts(), memories, {
      signal: stop.signal,
      onProgress(done) {
        seen.push(done)
        stop.abort()
      },
    })
    expect(cut.added).toHaveLength(100)
    expect(seen).toEqual([100])
    const rest = await importMemories(to.parts(), memories)
    expect([rest.added.length, rest.same.length, to.rows().length]).toEqual([150, 100, 250])
  })

  test('lets other writers run between its batches', async () => {
    const to = place()
    const other = openStore(to.store.path)
    onTestFinished(() => other.close())
    let written = 0
    await importMemories(to.parts(), await many(250), {
      onProgress() {
        other.transaction(() => (written += 1))
      },
    })
    expect(written).toBe(3)
  })

  test('a batch that cannot be written leaves nothing behind', async () => {
    const to = place()
    const memories = await many(3)
    const broken: Pick<Bank, 'importBatch'> = {
      importBatch: (user, some, options) =>
        to.bank.importBatch({ ...user, archiver: { ...user.archiver, archive: fails } }, some, options),
    }
    const fails = (text: string): string => {
      if (text === 'lesson 2') throw new Error('the scrubber failed')
      return text
    }
    await expect(importMemories({ ...to.parts(), bank: broken }, memories)).rejects.toThrow(
      'the scrubber failed',
    )
    expect(to.rows()).toEqual([])
    expect((await importMemories(to.parts(), memories)).added).toHaveLength(3)
  })
})

describe('problems in files', () => {
  test('are all reported with their positions before anything is written', () => {
    const at = (line: number) => ({ file: 'x.jsonl', line })
    const good = '{"id":"mem_1","title":"a","description":"b","content":"c","outcome":"success"}'
    const read = [good, '{', good].map((source, index) => {
      const { file, line } = at(index + 1)
      return { file, line, parsed: fromJsonLine(source, { file, line }, defaults) }
    })
    expect(() => validMemories(read, () => false)).toThrow(
      expect.objectContaining({
        code: 'MEMORY_FILE_INVALID',
        message: expect.stringMatching(/^x\.jsonl:2:2: .* \(and 1 more\)$/),
        details: expect.objectContaining({
          line: 2,
          problems: [
            expect.objectContaining({ line: 2 }),
            { file: 'x.jsonl', line: 3, column: 1, path: 'id', message: 'duplicate of x.jsonl:1' },
          ],
        }),
      }),
    )
    expect(validMemories(read.slice(0, 1), () => false)).toHaveLength(1)
  })
})

test.each(['id', 'project', 'agent', 'session', 'branch', 'merged_into', 'sources'])(
  'a name that is a secret is refused: %s',
  (field) => {
    const { user } = place()
    const [secret = ''] = sampleSecrets(1)
    const ask = (name: string): boolean => user.archiver.archive(name) !== name
    const said = {
      title: 'a',
      description: 'b',
      content: 'c',
      outcome: 'success',
      id: 'mem_x4k2hq9d7m3a',
      project: '/home/ada/shop',
      session: '3f0c2a5e-6f3b-4d6e-9a57-0c8f6f1f2b11',
      sources: ['br_x4k2hq9d7m3a'],
    }
    const at = { file: 'x.jsonl', line: 1 }
    const read = (fields: object) => [{ ...at, parsed: fromJsonLine(JSON.stringify(fields), at, defaults) }]
    expect(validMemories(read(said), ask)).toHaveLength(1)
    const wrong = read({ ...said, [field]: field === 'sources' ? [secret] : secret })
    expect(() => validMemories(wrong, ask)).toThrow(`x.jsonl:1:1: ${field}: contains a secret`)
  },
)

describe('the file name', () => {
  test.each([
    ['Wait for the port!', 'wait-for-the-port-mem_1.md'],
    ['../../etc/passwd', 'etc-passwd-mem_1.md'],
    ['Größe: 日本', 'größe-日本-mem_1.md'],
    ['***', 'mem_1.md'],
    ['x'.repeat(200), `${'x'.repeat(48)}-mem_1.md`],
  ])('of %j', (title, name) => {
    expect(markdownFileName({ title, id: 'mem_1' })).toBe(name)
  })
})

test('memories merged in a cycle are found again, others stay merged', async () => {
  const { bank, user, parts } = place()
  const said = (id: string, merged_into?: string): PortableMemory => {
    const at = { file: 'x.jsonl', line: 1 }
    const fields = { id, title: id, description: 'when', content: 'owl', outcome: 'success', merged_into }
    const parsed = fromJsonLine(JSON.stringify(fields), at, defaults)
    return parsed.ok ? parsed.value : expect.fail()
  }
  const links = [
    said('self', 'self'),
    said('round', 'about'),
    said('about', 'round'),
    said('tail', 'round'),
    said('one', 'other'),
    said('other'),
  ]
  await importMemories(parts(), links)
  const { hits } = await bank.search(user, { text: 'owl', limit: 10 })
  expect(hits.map(({ memory }) => memory.id).sort()).toEqual(['about', 'other', 'round', 'self'])
})
