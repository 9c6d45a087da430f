import { mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { testRepository, type TestRepository } from '../../../test/support/repository.ts'
import { until } from '@contextd/shared/testing/until'
import { watchRepository, type IndexWatch, type WatchOptions } from './watch.ts'

async function watched(
  files: Record<string, string>,
  options: Partial<WatchOptions> = {},
): Promise<TestRepository & { watching: IndexWatch; messages: string[] }> {
  const repository = testRepository(files)
  await repository.index.index(repository.folder)
  const messages: string[] = []
  const watching = watchRepository(repository.folder, {
    index: repository.index,
    log: (_, message) => messages.push(message),
    quietMs: 10,
    ...options,
  })
  onTestFinished(() => watching.close())
  await until(() => watching.isLive() || messages.length > 0)
  return { ...repository, watching, messages }
}

test('written, created, moved and removed files are updated in the index', async () => {
  const { folder, put, drop, find } = await watched({ 'a.txt': 'apple', 'deep/er/b.txt': 'banana' })
  put('deep/er/b.txt', 'blueberry')
  await until(async () => (await find('blueberry')).length === 1)

  mkdirSync(join(folder, 'new/folder'), { recursive: true })
  put('new/folder/c.txt', 'cranberry')
  await until(async () => (await find('cranberry')).length === 1)
  put('new/folder/c.txt', 'clementine')
  await until(async () => (await find('clementine')).length === 1)

  renameSync(join(folder, 'new'), join(folder, 'old'))
  await until(async () => (await find('clementine'))[0] === 'old/folder/c.txt:1-1')
  drop('old')
  drop('deep')
  await until(async () => (await find('clementine blueberry')).length === 0)
  expect(await find('apple')).toEqual(['a.txt:1-1'])
})

test('opens only changed files, and does not check ignored ones', async () => {
  const { put, opened, find } = await watched({
    '.gitignore': 'out/',
    'out/x.txt': 'old',
    'a.txt': 'apple',
    'b/c.txt': 'cherry',
  })
  await new Promise((done) => setTimeout(done, 50))
  opened()
  put('out/x.txt', 'xigua')
  put('b/c.txt', 'cantaloupe')
  await until(async () => (await find('cantaloupe')).length === 1)
  expect(new Set(opened())).toEqual(new Set(['b/c.txt']))
  expect(await find('xigua')).toEqual([])

  put('.gitignore', '')
  await until(async () => (await find('xigua')).length === 1)
})

test('polls if there is too much to watch', async () => {
  const { put, find, watching, messages } = await watched(
    { 'a/a.txt': 'apple', 'b/b.txt': 'banana', 'c/c.txt': 'cherry' },
    { maxFolders: 2, pollMs: 20 },
  )
  await until(() => messages.length > 0)
  expect(watching.isLive()).toBe(false)
  put('c/c.txt', 'cantaloupe')
  await until(async () => (await find('cantaloupe')).length === 1)
  expect(messages).toEqual(['a repository is polled every 0.02 s instead of watched'])
})

test('handles a folder that disappears and comes back', async () => {
  const { folder, find, put, messages, index } = await watched({ 'a.txt': 'apple' }, { pollMs: 20 })
  renameSync(folder, `${folder}-away`)
  await until(() => messages.includes('an index could not be brought up to date'))
  expect(index.status(folder)).toMatchObject({ files: 1 })
  renameSync(`${folder}-away`, folder)
  put('b.txt', 'banana')
  await until(async () => (await find('banana')).length === 1)
})

test('stops reacting once closed', async () => {
  const { put, watching, index, folder, opened } = await watched({ 'a.txt': 'apple' })
  await watching.close()
  opened()
  put('a.txt', 'apricot')
  await new Promise((done) => setTimeout(done, 50))
  expect(opened()).toEqual([])
  await index.update(folder)
  expect(opened()).toEqual(['a.txt'])
})
