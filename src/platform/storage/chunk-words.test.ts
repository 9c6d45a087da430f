import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import {
  findChunk,
  indexedFolders,
  indexSize,
  knownContent,
  knownFiles,
  matchChunkWords,
  putIndexedFile,
  removeChunks,
  type IndexOwner,
} from './chunk-words.ts'
import type { Store } from './store.ts'

const mine: IndexOwner = { tenant: 'local', project: '/repo' }
const theirs: IndexOwner = { tenant: 'other', project: '/repo' }

function put(store: Store, owner: IndexOwner, path: string, ...bodies: string[]): number[] {
  const about = { path, sha256: Buffer.from(path), size: 1, changedMs: 1.5, language: 'text', indexedAt: 7 }
  return putIndexedFile(
    store,
    owner,
    about,
    bodies.map((body, at) => ({
      name: `part ${at}`,
      firstLine: at + 1,
      lastLine: at + 2,
      words: { path, name: `part ${at}`, body },
    })),
  )
}

const matches = (store: Store, expression: string): number[] =>
  Array.from(matchChunkWords(store, expression), ({ row }) => row)

test('stores files with their chunks, and finds chunks by their words', () => {
  const store = temporaryStore()
  const [first, second] = put(store, mine, 'src/a.ts', 'apple pie', 'banana bread')
  expect(matches(store, '"banana"')).toEqual([second])
  expect(new Set(matches(store, '"apple" OR "bananas"'))).toEqual(new Set([first, second]))
  expect(findChunk(store, 'local', new Set(['/repo']), second!)).toEqual({
    row: second,
    folder: '/repo',
    path: 'src/a.ts',
    name: 'part 1',
    firstLine: 2,
    lastLine: 3,
    size: 1,
    changedMs: 1.5,
  })
  expect(knownFiles(store, mine)).toEqual([{ path: 'src/a.ts', size: 1, changedMs: 1.5 }])
  expect(knownContent(store, mine, 'src/a.ts')?.toString()).toBe('src/a.ts')
})

test('names and paths weigh more', () => {
  const store = temporaryStore()
  put(store, mine, 'a.txt', 'a zebra, a giraffe, an emu, an ibex')
  const [named] = put(store, mine, 'zebra.txt', 'stripes of an animal that runs far and fast')
  expect(matches(store, '"zebra"')[0]).toBe(named)
})

test('replaces a file under the same row', () => {
  const store = temporaryStore()
  put(store, mine, 'a.txt', 'apple')
  removeChunks(store, mine, 'a.txt')
  put(store, mine, 'a.txt', 'banana')
  expect(matches(store, '"apple"')).toEqual([])
  expect(matches(store, '"banana"')).toHaveLength(1)
  expect(knownFiles(store, mine)).toHaveLength(1)
})

test('rows of another tenant or folder are inaccessible', () => {
  const store = temporaryStore()
  const [row] = put(store, theirs, 'a.txt', 'apple')
  put(store, theirs, '')
  expect(findChunk(store, 'local', new Set(['/repo']), row!)).toBeUndefined()
  expect(findChunk(store, 'other', new Set(['/repository']), row!)).toBeUndefined()
  expect(removeChunks(store, mine, 'a.txt')).toEqual([])
  expect([knownFiles(store, mine), knownContent(store, mine, 'a.txt')]).toEqual([[], undefined])
  expect([indexSize(store, mine), indexedFolders(store, 'local')]).toEqual([undefined, []])
  // They are accessible to their owner.
  expect(findChunk(store, 'other', new Set(['/repo']), row!)).toMatchObject({ path: 'a.txt' })
  expect(indexSize(store, theirs)).toEqual({ files: 2, chunks: 1, indexedAt: 7 })
  expect(removeChunks(store, theirs, 'a.txt')).toEqual([row])
})

test('lists the folders and files inside a folder, but not its siblings', () => {
  const store = temporaryStore()
  for (const project of ['/a', '/a/b', '/a/b/c', '/a-b', '/ab']) put(store, { tenant: 'local', project }, '')
  expect(indexedFolders(store, 'local')).toEqual(['/a', '/a-b', '/a/b', '/a/b/c', '/ab'])
  expect(indexedFolders(store, 'local', '/a')).toEqual(['/a/b', '/a/b/c'])
  for (const path of ['src/a', 'src/b/c', 'src-b/a', 'srcs', 'src']) put(store, mine, path)
  expect(knownFiles(store, mine, 'src').map(({ path }) => path)).toEqual(['src/a', 'src/b/c'])
})
