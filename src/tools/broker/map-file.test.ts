import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { beforeEach, expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { readMapFile, usableEntries } from './map-file.ts'

let folder: string
let map: string
beforeEach(() => {
  folder = temporaryFolder()
  map = join(folder, 'context-map.toml')
  writeFileSync(map, '[keys]\nSECRET = "a.md"\n', { mode: 0o600 })
})

/** How many entries it has, or what the agent hears. */
async function read(path = map): Promise<number | string> {
  try {
    return usableEntries(await readMapFile(path, '/home/me')).length
  } catch (error) {
    if (!(error instanceof CodedError)) throw error
    expect(JSON.stringify(error.toObject())).not.toContain('SECRET')
    return `${error.code}: ${error.message}`
  }
}

test('a map of the user is read, also behind a link', async () => {
  expect(await read()).toBe(1)
  chmodSync(map, 0o644)
  expect(await read()).toBe(1)
  symlinkSync(map, join(folder, 'link.toml'))
  expect(await read(join(folder, 'link.toml'))).toBe(1)
})

test('a missing map is said to be missing', async () => {
  expect(await read(join(folder, 'none.toml'))).toMatch(/^CONTEXT_MAP_MISSING: /)
})

test.each([
  ['a folder', () => mkdirSync(map), 'is not a regular file'],
  ['a circle of links', () => symlinkSync('context-map.toml', map), 'cannot be read (ELOOP)'],
  ['no text', () => writeFileSync(map, Buffer.from([0x61, 0xff])), 'is not UTF-8 text'],
  ['too much', () => writeFileSync(map, '#'.repeat(262_145)), 'is larger than 256 KB'],
  ['a mistake', () => writeFileSync(map, '[keys]\n\nSECRET = 7\n'), 'has a mistake in line 3'],
  ['no TOML', () => writeFileSync(map, '[keys]\nSECRET'), 'has a mistake in line 2'],
])('a map that cannot be used, because it is %s', async (_, make, problem) => {
  renameSync(map, join(folder, 'other'))
  make()
  expect(await read()).toBe(`CONTEXT_MAP_INVALID: The context map cannot be used: it ${problem}`)
})

test.each([0o620, 0o602])('a map that others can change (%o) is refused', async (mode) => {
  chmodSync(map, mode)
  expect(await read()).toMatch(`it can be changed by other users (mode ${mode.toString(8)})`)
  chmodSync(map, 0o600)
  expect(await read()).toBe(1)
})

test('so is one in a folder that others can change, on both ends of a link', async () => {
  const elsewhere = join(folder, 'elsewhere')
  mkdirSync(elsewhere)
  symlinkSync(map, join(elsewhere, 'link.toml'))
  expect(await read(join(elsewhere, 'link.toml'))).toBe(1)
  chmodSync(elsewhere, 0o777)
  expect(await read(join(elsewhere, 'link.toml'))).toMatch('is in a folder that can be changed by other')
  expect(await read()).toBe(1)
  chmodSync(elsewhere, 0o700)
  chmodSync(folder, 0o770)
  expect(await read(join(elsewhere, 'link.toml'))).toMatch('is in a folder that can be changed by other')
  chmodSync(folder, 0o700)
  expect(await read(join(elsewhere, 'link.toml'))).toBe(1)
})

test.skipIf(process.getuid?.() !== 0)('so is one of another user', async () => {
  chownSync(map, 12345, 12345)
  expect(await read()).toMatch('it belongs to another user')
  chownSync(map, 0, 0)
  chownSync(folder, 12345, 12345)
  expect(await read()).toMatch('it is in a folder that belongs to another user')
  chownSync(folder, 0, 0)
  expect(await read()).toBe(1)
})
