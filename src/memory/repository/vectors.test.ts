import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { testRepository, viewOf, type TestRepository } from '../../../test/support/repository.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import type { Embedder } from '../search/embedder.ts'
import { createSqliteVectors } from '../search/sqlite-vectors.ts'
import type { UpdateParts } from './update.ts'

/** Distinguishes two meanings: about animals or not. */
function embedderNamed(
  model: string,
  isDown = (): boolean => false,
): Embedder & { readonly texts: string[] } {
  const texts: string[] = []
  return {
    model,
    dimension: 2,
    texts,
    async embed(all) {
      if (isDown()) throw new ContextdError('EMBEDDER_UNAVAILABLE', { problem: 'it sleeps' })
      texts.push(...all)
      return all.map((text) => new Float32Array(/cat|dog|pet/.test(text) ? [1, 0] : [0, 1]))
    },
  }
}

const files = { 'a.txt': 'the cat sleeps', 'b.txt': 'the engine runs', 'closed/c.txt': 'a dog barks' }

function withVectors(embedder: Embedder): TestRepository & { again(other: Embedder): Partial<UpdateParts> } {
  const store = temporaryStore()
  const parts = (one: Embedder): Partial<UpdateParts> => ({
    store,
    embedder: one,
    vectors: createSqliteVectors({ store, tenant: 'local', kind: 'chunk' }),
  })
  return { ...testRepository(files, parts(embedder)), store, again: parts }
}

test('finds the same meaning without a shared word, limited to files the caller may read', async () => {
  const { index, folder, find } = withVectors(embedderNamed('one'))
  await index.index(folder)
  expect((await find('pet', { limit: 2 })).sort()).toEqual(['a.txt:1-1', 'closed/c.txt:1-1'])
  const mayRead = (path: string): boolean => !path.startsWith(join(folder, 'closed'))
  const answer = await index.find({ text: 'pet', limit: 3, view: { ...viewOf(folder), mayRead } })
  expect(answer.matches.map(({ path }) => path)).toEqual(['a.txt', 'b.txt'])
})

test('a failing embedder does not prevent indexing, and the next update adds the vectors', async () => {
  let isDown = true
  const embedder = embedderNamed('one', () => isDown)
  const { index, folder, find, put, opened } = withVectors(embedder)
  const report = await index.index(folder)
  expect(report).toMatchObject({ indexed: 3, isComplete: true })
  expect(report.notes).toEqual([
    'Some files can only be found by keyword: Cannot compute embeddings: it sleeps',
  ])
  expect(await find('cat')).toEqual(['a.txt:1-1'])
  isDown = false
  opened()
  expect(await index.update(folder)).toMatchObject({ indexed: 3, notes: [] })
  expect((await find('pet', { limit: 2 })).sort()).toEqual(['a.txt:1-1', 'closed/c.txt:1-1'])
  expect(await index.update(folder)).toMatchObject({ read: 0 })

  isDown = true
  put('b.txt', 'the dog runs')
  await index.update(folder)
  isDown = false
  expect(await index.update(folder)).toMatchObject({ indexed: 1 })
  expect(embedder.texts.at(-1)).toContain('the dog runs')
})

test('another model, or none, reindexes everything, and leaves no old vector', async () => {
  const { index, folder, reopen, again, store, drop } = withVectors(embedderNamed('one'))
  await index.index(folder)
  const models = (): unknown[] =>
    store.prepare("SELECT model, count(*) AS count FROM vectors WHERE model <> '' GROUP BY model").all()
  expect(models()).toEqual([{ model: 'one', count: 3 }])
  const other = reopen(again(embedderNamed('two')))
  expect(await other.update(folder)).toMatchObject({ indexed: 3 })
  expect(models()).toEqual([{ model: 'two', count: 3 }])
  drop('a.txt')
  await other.update(folder)
  expect(models()).toEqual([{ model: 'two', count: 2 }])
  await other.remove(folder)
  expect(models()).toEqual([])
})

test('another vector location receives all vectors', async () => {
  const embedder = embedderNamed('one')
  const { index, folder, reopen, again } = withVectors(embedder)
  await index.index(folder)
  expect(await reopen(again(embedder)).update(folder)).toMatchObject({ indexed: 0 })
  const moved = reopen({ ...again(embedder), vectorPlace: 'elsewhere' })
  expect(await moved.update(folder)).toMatchObject({ indexed: 3 })
})

test('unknown errors are not quoted, because they may contain text from a file', async () => {
  const embed = () => Promise.reject(new Error('the cat sleeps'))
  const { index, folder } = withVectors({ ...embedderNamed('one'), embed })
  expect((await index.index(folder)).notes).toEqual([
    'Some files can only be found by keyword: the embedder or the vector store failed',
  ])
})

test('a process without grammars keeps chunks made with them', async () => {
  const grammars = { version: '9', parse: async () => undefined }
  const { index, folder, reopen, opened, put } = testRepository(files, { grammars })
  await index.index(folder)
  opened()
  const plain = reopen({ grammars: undefined })
  expect(await plain.update(folder)).toMatchObject({ read: 0 })
  put('b.txt', 'the engine stops')
  expect(await plain.update(folder)).toMatchObject({ read: 1, indexed: 1 })
  expect(await index.update(folder)).toMatchObject({ read: 0 })
  expect(await reopen({ grammars: { ...grammars, version: '10' } }).update(folder)).toMatchObject({
    indexed: 3,
  })
})

test('a secret in a question never reaches an embedder', async () => {
  const embedder = embedderNamed('one')
  const { index, folder, find } = withVectors(embedder)
  await index.index(folder)
  expect(await find('which cat has secret-123', { limit: 1 })).toEqual(['a.txt:1-1'])
  expect(embedder.texts.at(-1)).toContain('which cat has')
  expect(embedder.texts.join()).not.toContain('secret-123')
})
