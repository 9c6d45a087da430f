import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { cacheContent, leftoversIn, listCaches, takeAside, useCache, type CacheOwner } from './cache-store.ts'

let root: string
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'contextd-caches-'))))
afterEach(() => rmSync(root, { recursive: true }))

const owner: CacheOwner = { kind: 'npm', tenant: 'local', project: '/shop', agent: 'main' }

test('each tenant, project, agent and kind has its own, and only this user can enter it', () => {
  const others: Partial<CacheOwner>[] = [
    {},
    { kind: 'pip' },
    { tenant: 'b' },
    { project: '/shop2' },
    { agent: 'main (declared)' },
  ]
  const sources = others.map((other) => useCache(root, { ...owner, ...other }).mounts[0]?.source)
  expect(new Set(sources).size).toBe(others.length)
  expect(useCache(root, owner).mounts).toEqual([{ source: sources[0], path: '.npm/_cacache' }])
  expect(statSync(root).mode & 0o777).toBe(0o700)
  expect(listCaches(root)).toHaveLength(others.length)
})

test('cargo keeps downloads and its lock, and neither settings nor programs', () => {
  const { mounts } = useCache(root, { ...owner, kind: 'cargo' })
  expect(mounts.map(({ path }) => path)).toEqual(['.cargo/registry', '.cargo/git', '.cargo/.package-cache'])
  expect(mounts.map(({ source }) => statSync(source).isFile())).toEqual([false, false, true])
  // What a command wrote into the lock stays.
  writeFileSync(mounts[2]!.source, 'x')
  useCache(root, { ...owner, kind: 'cargo' })
  expect(statSync(mounts[2]!.source).size).toBe(1)
})

test('one that is in use is not taken aside, until its last user releases it or its process has ended', () => {
  const [first, second] = [useCache(root, owner), useCache(root, owner)]
  const folder = listCaches(root)[0]!.folder
  expect(takeAside(root, folder)).toBeUndefined()
  first.release()
  expect(takeAside(root, folder)).toBeUndefined()
  expect(listCaches(root)[0]?.isInUse).toBe(true)
  second.release()
  // Another process with this id was killed, and left this behind.
  writeFileSync(join(folder, 'users', `${process.pid}-1-0123456789abcdef`), '')
  expect(listCaches(root)[0]?.isInUse).toBe(false)
  const aside = takeAside(root, folder)
  expect(aside).toBeDefined()
  expect(listCaches(root)).toEqual([])
  expect(leftoversIn(root)).toEqual([aside])
  expect(existsSync(cacheContent(aside!))).toBe(true)
})

test('one that is taken aside while it is opened is opened again', () => {
  const { mounts, release } = useCache(root, owner)
  release()
  const aside = takeAside(root, listCaches(root)[0]!.folder)
  const again = useCache(root, owner)
  expect(again.mounts).toEqual(mounts)
  expect(existsSync(mounts[0]!.source)).toBe(true)
  // Its removal cannot be undone by giving the name back, as that is taken: nothing of the new one is lost.
  expect(() => renameSync(aside!, listCaches(root)[0]!.folder)).toThrow('ENOTEMPTY')
  again.release()
})

test('files that are no cache are not listed', () => {
  mkdirSync(join(root, 'npm-x'))
  writeFileSync(join(root, 'npm-x/cache.json'), '{"kind": "yarn"}')
  writeFileSync(join(root, 'notes'), '')
  expect(listCaches(root)).toEqual([])
  expect(readdirSync(root)).toHaveLength(2)
  useCache(root, owner)
  expect(listCaches(root)).toHaveLength(1)
})
