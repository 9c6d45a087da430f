import { randomBytes } from 'node:crypto'

import { expect, test } from 'vitest'

import {
  aMemory,
  aUser,
  keepingOf,
  plainKeeping,
  temporaryBank,
  wordEmbedder,
} from '../../../test/support/memory-bank.ts'
import { sampleSecrets, temporaryRegistry } from '../../../test/support/registry.ts'
import type { Embedder } from '../search/embedder.ts'
import type { Store } from '../../platform/storage/store.ts'
import { reembed } from './reembed.ts'

/** Every text and blob of the tables that memory writes to. */
function everythingIn(store: Store): string {
  return ['* FROM memories', '* FROM memory_feedback', 'vector FROM vectors']
    .flatMap((what) => store.prepare(`SELECT ${what}`).all())
    .flatMap((row) => Object.values(row))
    .map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)))
    .join('\n')
    .toLowerCase()
}

/** How many memories the word index finds by a word. */
function foundBy(store: Store, word: string): unknown {
  return store
    .prepare('SELECT count(*) AS many FROM memory_words WHERE memory_words MATCH ?')
    .get(`"${word}"`)?.many
}

/** Records the texts it receives. */
function curiousEmbedder(): Embedder & { readonly seen: string[] } {
  const seen: string[] = []
  const { embed, ...rest } = wordEmbedder()
  return {
    ...rest,
    seen,
    embed: (texts, options) => {
      seen.push(...texts)
      return embed(texts, options)
    },
  }
}

const fields = ['title', 'description', 'content', 'task', 'tag', 'comment', 'edited', 'query'] as const

async function storeSecrets(archiver: 'scrubbed' | 'plain') {
  const registry = temporaryRegistry()
  const embedder = curiousEmbedder()
  const { bank } = temporaryBank({ store: registry.store, embedder })
  const user = aUser({}, archiver === 'plain' ? plainKeeping : keepingOf(registry, 'session-1'))
  const values = sampleSecrets(fields.length)
  const secret = Object.fromEntries(fields.map((field, at) => [field, values[at]!]))
  const { memory } = await bank.store(user, {
    title: `Use ${secret.title}`,
    description: `When ${secret.description} fails.`,
    content: `The value ${secret.content} was old.`,
    outcome: 'failure',
    task: `fix ${secret.task}`,
    tags: [secret.tag!],
  })
  bank.feedback(user, memory.id, { helpful: true, comment: `not ${secret.comment}` })
  await bank.edit(user, memory.id, { content: `The value ${secret.content} became ${secret.edited}.` })
  await bank.search(user, { text: `where is ${secret.query}` })
  return { registry, bank, id: memory.id, secret, seen: embedder.seen.join('\n') }
}

test('no secret of any field reaches the store, the word index or an embedder', async () => {
  const { registry, bank, id, secret, seen } = await storeSecrets('scrubbed')
  const kept = everythingIn(registry.store)
  for (const value of Object.values(secret)) {
    expect(kept).not.toContain(value.toLowerCase())
    expect(foundBy(registry.store, value)).toBe(0)
    expect(seen).not.toContain(value)
  }
  const [memory] = bank.get(aUser({}, keepingOf(registry, 'session-1')), [id])
  expect(memory?.content).toMatch(/^The value \[SECRET_\d+\] became \[SECRET_\d+\]/)
})

test('the probe would detect secrets', async () => {
  const { registry, secret, seen } = await storeSecrets('plain')
  const kept = everythingIn(registry.store)
  for (const field of ['title', 'description', 'content', 'task', 'tag', 'comment', 'edited']) {
    expect(kept, field).toContain(secret[field]!.toLowerCase())
    if (field !== 'comment') expect(foundBy(registry.store, secret[field]!), field).toBe(1)
  }
  for (const field of ['title', 'content', 'query']) expect(seen, field).toContain(secret[field])
})

test('another session reads its own tokens for the same secrets; a forgotten one is marked', async () => {
  const registry = temporaryRegistry()
  const { bank } = temporaryBank({ store: registry.store })
  const [first = '', second = ''] = sampleSecrets(2)
  const here = aUser({}, keepingOf(registry, 'session-1'))
  const { memory } = await bank.store(here, aMemory({ content: `${first} and ${second}` }))
  expect(memory.content).toBe('[SECRET_1] and [SECRET_2]')

  const there = aUser({ session: 'session-2' }, keepingOf(registry, 'session-2'))
  // The other session already has a different secret.
  there.archiver.archive(sampleSecrets(1, 7)[0]!)
  expect(bank.get(there, [memory.id])[0]?.content).toBe('[SECRET_2] and [SECRET_3]')
  expect(registry.registry.valueOf('session-2', '[SECRET_2]')).toBe(first)

  registry.registry.forget({ all: true })
  expect(bank.get(there, [memory.id])[0]?.content).toBe('[SECRET_FORGOTTEN] and [SECRET_FORGOTTEN]')
})

test('a token finds lessons about its secret in any session', async () => {
  const registry = temporaryRegistry()
  const { bank } = temporaryBank({ store: registry.store })
  const [secret = ''] = sampleSecrets(1)
  const here = aUser({}, keepingOf(registry, 'session-1'))
  await bank.store(here, aMemory({ title: 'Zebras', content: 'Stripes.' }))
  const { memory } = await bank.store(here, aMemory({ content: `The key ${secret} is for staging.` }))
  const there = aUser({ session: 'session-2' }, keepingOf(registry, 'session-2'))
  there.archiver.archive(secret)
  const found = await bank.search(there, { text: 'what about [SECRET_1]' })
  expect(found.hits[0]?.memory.id).toBe(memory.id)
})

test('neither a secret that became known after storing nor a partial secret reaches an embedder', async () => {
  const registry = temporaryRegistry()
  const embedder = curiousEmbedder()
  const { bank, store } = temporaryBank({ store: registry.store, embedder })
  const archiver = keepingOf(registry, 'session-1')
  const user = aUser({}, archiver)
  const value = ['Quiet-Osprey', 'Bridge-92'].join('-')
  const { memory } = await bank.store(user, aMemory({ content: `At the door say ${value} and wait.` }))
  expect(embedder.seen.join()).toContain(value)
  archiver.archive(`password=${value}`)
  embedder.seen.length = 0
  await bank.edit(user, memory.id, { outcome: 'failure' })
  await reembed({ store, tenant: 'local', bank, embedder, archiver }, { all: true })
  const [secret = ''] = sampleSecrets(1)
  // Its end is beyond the searched part of a query.
  await bank.search(user, { text: `${'door '.repeat(798)} ${secret}` })
  // Tokens are shorter than long secrets, which moves the text after them forward.
  const edge = (word: string): string => `-----${word} RSA ${['PRIVATE', 'KEY'].join(' ')}-----`
  const lines = Array.from({ length: 45 }, () => randomBytes(48).toString('base64')).join('\n')
  const keys = `${edge('BEGIN')}\n${lines}\n${edge('END')}\n`.repeat(6)
  const beforeCut = `${keys} ${'gate '.repeat(2000)}`.slice(0, 4000 + 16_384 - 10)
  await bank.search(user, { text: `${beforeCut}${secret}${' gate'.repeat(1000)}` })
  const seen = embedder.seen.join()
  expect(embedder.seen.length).toBeGreaterThanOrEqual(4)
  expect(seen).toContain('At the door say')
  expect(seen).not.toContain(value)
  expect(seen).not.toContain(secret.slice(0, 6))
})
