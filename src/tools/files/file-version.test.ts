import { createHash } from 'node:crypto'
import { truncateSync, utimesSync } from 'node:fs'

import { expect, test } from 'vitest'

import { fileSpace, type FileSpace } from '../../../test/support/file-space.ts'
import { openForRead, type ReadableFile } from './confined-file.ts'
import {
  createSeenFiles,
  hashOfBytes,
  readFileVersion,
  sha256Of,
  wholeBytes,
  type Version,
} from './file-version.ts'

const key = Buffer.alloc(32, 1)

async function withFile<T>(
  space: FileSpace,
  path: string,
  use: (file: ReadableFile) => Promise<T>,
): Promise<T> {
  const file = await openForRead(path, space.access())
  try {
    return await use(file)
  } finally {
    file.close()
  }
}

test('a small file is known by what is in it, and only to those who have the key', async () => {
  const space = fileSpace()
  const path = space.put('a', 'hunter2')
  const versionOf = (secret: Buffer): Promise<Version> =>
    withFile(space, path, (file) => readFileVersion(file, secret))
  const { hash, bytes } = await versionOf(key)
  expect(bytes?.toString()).toBe('hunter2')
  expect(hash).toMatch(/^[0-9a-f]{24}$/)
  expect(hash).toBe(hashOfBytes(Buffer.from('hunter2'), key))
  expect((await versionOf(Buffer.alloc(32, 2))).hash).not.toBe(hash)
  expect(createHash('sha256').update('hunter2').digest('hex')).not.toContain(hash)
  space.put('a', 'hunter3')
  expect((await versionOf(key)).hash).not.toBe(hash)
})

test('a large file is known by when it was written', async () => {
  const space = fileSpace()
  const path = space.put('large', 'start')
  truncateSync(path, wholeBytes + 1)
  const hash = async (): Promise<string> =>
    (await withFile(space, path, (file) => readFileVersion(file, key))).hash
  const first = await hash()
  expect(await hash()).toBe(first)
  utimesSync(path, 1, 1)
  expect(await hash()).not.toBe(first)
})

test('the plain hash is that of the whole file', async () => {
  const space = fileSpace()
  const content = Buffer.alloc(wholeBytes * 2 + 5, 'abc')
  const path = space.put('large', content)
  expect(await withFile(space, path, sha256Of)).toBe(createHash('sha256').update(content).digest('hex'))
})

test('versions are remembered for a session and an agent, as many as there is room for', () => {
  const seen = createSeenFiles(2)
  const me = { session: 's', agent: 'a' }
  seen.note(me, '/one', '1')
  seen.note(me, '/two', '2')
  expect(seen.seen({ ...me, agent: 'b' }, '/one')).toBeUndefined()
  expect(seen.seen({ ...me, session: 't' }, '/one')).toBeUndefined()
  expect(seen.seen(me, '/one')).toBe('1')
  seen.note(me, '/three', '3')
  expect([seen.seen(me, '/one'), seen.seen(me, '/two'), seen.seen(me, '/three')]).toEqual([
    '1',
    undefined,
    '3',
  ])
})
