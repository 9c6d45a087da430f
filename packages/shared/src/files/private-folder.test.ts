import { chmodSync, chownSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { ensurePrivateFolder } from './private-folder.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'contextd-private-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const modeOf = (path: string): number => statSync(path).mode & 0o777

test('creates a folder for this user only, parents included', () => {
  const path = join(folder, 'a', 'b')
  ensurePrivateFolder(path)
  expect(modeOf(path)).toBe(0o700)
})

test('restricts one that others could enter', () => {
  const path = join(folder, 'open')
  mkdirSync(path)
  chmodSync(path, 0o777)
  ensurePrivateFolder(path)
  expect(modeOf(path)).toBe(0o700)
})

test('rejects one of another user', () => {
  // Owned by root, unless root runs the test: then any other owner.
  const foreign = process.getuid?.() === 0 ? otherUsersFolder() : '/'
  expect(() => ensurePrivateFolder(foreign)).toThrow('belongs to another user')
})

function otherUsersFolder(): string {
  const path = join(folder, 'theirs')
  mkdirSync(path)
  chownSync(path, 12_345, 12_345)
  return path
}
