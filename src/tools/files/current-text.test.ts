import { symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fileSpace } from '../../../test/support/file-space.ts'
import { currentText } from './current-text.ts'

test('is what the file has, without the mark of its encoding', async () => {
  const space = fileSpace()
  space.put('a.txt', 'été\r\n')
  space.put('b.txt', Buffer.from('\ufeffkey', 'utf16le'))
  space.put('c.txt', '\ufeffkey')
  const read = (path: string) => currentText(space.files, path, space.call())
  expect(await Promise.all(['a.txt', 'b.txt', 'c.txt'].map(read))).toEqual(['été\r\n', 'key', 'key'])
})

test('is nothing where the caller may not both read and write, and the same where nothing is', async () => {
  const space = fileSpace()
  space.put('src/a.txt', 'text')
  space.put(join(space.outside, 'b.txt'), 'text')
  symlinkSync(join(space.outside, 'b.txt'), join(space.workspace, 'src/link.txt'))
  const read = (path: string, ...grants: string[]) =>
    currentText(space.files, path, space.call({}, ...grants))
  expect(await read('src/a.txt', 'fs:read:**', 'fs:write:**')).toBe('text')
  expect(await read('src/a.txt', 'fs:write:**')).toBeUndefined()
  expect(await read('src/a.txt', 'fs:read:**')).toBeUndefined()
  expect(await read('src/a.txt', 'fs:read:docs/**', 'fs:write:**')).toBeUndefined()
  for (const path of ['src/link.txt', 'src/missing.txt', 'src', join(space.outside, 'b.txt'), 'a\0b']) {
    expect(await read(path)).toBeUndefined()
  }
})

test('is nothing where one of several callers may not', async () => {
  const space = fileSpace()
  space.put('a.txt', 'text')
  const [all, some] = [space.call(), space.call({}, 'fs:write:**')]
  expect(await currentText(space.files, 'a.txt', all, all)).toBe('text')
  expect(await currentText(space.files, 'a.txt', all, some)).toBeUndefined()
})

test('is nothing for what is no text or too large', async () => {
  const space = fileSpace()
  space.put('a.bin', Buffer.from([0, 1, 2, 3]))
  truncateSync(space.put('large.txt', 'text'), 17 << 20)
  for (const path of ['a.bin', 'large.txt']) {
    expect(await currentText(space.files, path, space.call())).toBeUndefined()
  }
})
