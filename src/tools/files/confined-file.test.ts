import {
  linkSync,
  mkdirSync,
  openSync,
  closeSync,
  readdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fileSpace } from '../../../test/support/file-space.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { find, openForRead, type FileAccess } from './confined-file.ts'

async function readAll(path: string, access: FileAccess): Promise<string> {
  try {
    const file = await openForRead(path, access)
    try {
      return (await file.read(0, file.stat.size)).toString()
    } finally {
      file.close()
    }
  } catch (error) {
    if (error instanceof CodedError) return error.code
    throw error
  }
}

test('a granted file is read, and only within its grant', async () => {
  const space = fileSpace()
  const path = space.put('src/a.txt', 'hello')
  expect(await readAll(path, space.access())).toBe('hello')
  expect(await readAll(path, space.access('fs:read:src/**'))).toBe('hello')
  expect(await readAll(path, space.access('fs:read:docs/**'))).toBe('PATH_NOT_GRANTED')
  expect(await readAll(path, space.access('fs:write:**'))).toBe('PATH_NOT_GRANTED')
})

test('outside and missing look the same, in words too', async () => {
  const space = fileSpace()
  const secret = space.put(join(space.outside, 'secret'), 'not yours')
  const refusals = await Promise.all(
    [secret, join(space.outside, 'missing'), join(space.workspace, 'missing'), `${secret}/below`].map(
      (path) => openForRead(path, space.access()).catch((error: unknown) => (error as CodedError).toObject()),
    ),
  )
  for (const refused of refusals) expect(refused).toEqual(refusals[0])
  expect(refusals[0]).toMatchObject({ code: 'PATH_NOT_GRANTED' })
  // The probe would notice: granted, the same file is read.
  expect(await readAll(secret, space.access(`fs:read:${space.outside}/**`))).toBe('not yours')
})

test('links are followed inside and lead nowhere else', async () => {
  const space = fileSpace()
  space.put('real/a.txt', 'inside')
  space.put(join(space.outside, 'secret'), 'not yours')
  symlinkSync('real/a.txt', join(space.workspace, 'link'))
  symlinkSync('real', join(space.workspace, 'folder'))
  symlinkSync(space.outside, join(space.workspace, 'out'))
  symlinkSync(join(space.outside, 'secret'), join(space.workspace, 'stolen'))
  symlinkSync('../outside/secret', join(space.workspace, 'relative'))
  symlinkSync('loop', join(space.workspace, 'loop'))
  const read = (path: string): Promise<string> => readAll(join(space.workspace, path), space.access())
  expect(await read('link')).toBe('inside')
  expect(await read('folder/a.txt')).toBe('inside')
  for (const path of ['out/secret', 'stolen', 'relative', 'loop', '../outside/secret']) {
    expect(await read(path), path).toBe('PATH_NOT_GRANTED')
  }
})

test('a link that leads to an exception does not open it', async () => {
  const space = fileSpace()
  space.put('secrets/key', 'not yours')
  symlinkSync('secrets/key', join(space.workspace, 'innocent'))
  const access = space.files.accessFor(
    space.call({ grants: [{ kind: 'fs:read', scope: '**', except: ['secrets/**'] }] }),
  )
  expect(await readAll(join(space.workspace, 'innocent'), access)).toBe('PATH_NOT_GRANTED')
  expect(await readAll(join(space.workspace, 'innocent'), space.access())).toBe('not yours')
})

test('kernel files about this process are refused even if every path is granted', async () => {
  const space = fileSpace()
  symlinkSync('/proc/self/environ', join(space.workspace, 'environ'))
  const held = openSync(space.put(join(space.outside, 'held'), 'held open'), 'r')
  symlinkSync(`/proc/self/fd/${held}`, join(space.workspace, 'descriptor'))
  try {
    for (const path of ['environ', 'descriptor', '/proc/self/maps', '/proc/self/status', '/dev/null']) {
      const absolute = path.startsWith('/') ? path : join(space.workspace, path)
      expect(await readAll(absolute, space.access('fs:read:**')), path).toBe('PATH_NOT_GRANTED')
    }
    for (const path of ['/proc/self/environ', '/proc/self/status', '/sys/kernel/mm', '/dev/zero']) {
      expect(await readAll(path, space.access('fs:read')), path).toBe('PATH_NOT_GRANTED')
    }
    // What the link really leads to is decided by where it lies.
    expect(await readAll(join(space.workspace, 'descriptor'), space.access('fs:read'))).toBe('held open')
  } finally {
    closeSync(held)
  }
})

test("contextd's own folders are closed, also inside what is granted", async () => {
  const space = fileSpace({ ownFolders: ['.state'] })
  const key = space.put('.state/keys/audit', 'key')
  symlinkSync('.state/keys', join(space.workspace, 'keys'))
  expect(await readAll(key, space.access())).toBe('PATH_NOT_GRANTED')
  expect(await readAll(key, space.access('fs:read:.state/**'))).toBe('PATH_NOT_GRANTED')
  expect(await readAll(join(space.workspace, 'keys/audit'), space.access())).toBe('PATH_NOT_GRANTED')
  expect(await readAll(key, fileSpaceOver(space.workspace))).toBe('key')
})

/** The same workspace, seen by somebody whose own folders lie elsewhere. */
function fileSpaceOver(workspace: string): FileAccess {
  const other = fileSpace()
  return other.files.accessFor(other.call({ project: workspace }))
}

test('only regular files are opened', async () => {
  const space = fileSpace()
  mkdirSync(join(space.workspace, 'folder'))
  expect(await readAll(join(space.workspace, 'folder'), space.access())).toBe('FILE_UNSUITABLE')
})

test('a file with several names is read like any other', async () => {
  const space = fileSpace()
  linkSync(space.put('one', 'text'), join(space.workspace, 'two'))
  expect(await readAll(join(space.workspace, 'two'), space.access())).toBe('text')
})

test('a file that is deleted before the check is missing', async () => {
  const space = fileSpace()
  const path = space.put('going', 'text')
  const descriptor = openSync(path, 'r')
  try {
    expect(await find(`/proc/self/fd/${descriptor}`)).toMatchObject({ path })
    unlinkSync(path)
    expect(await find(`/proc/self/fd/${descriptor}`)).toBeUndefined()
  } finally {
    closeSync(descriptor)
  }
})

test('a moved workspace is not followed', async () => {
  const space = fileSpace()
  const path = space.put('a', 'mine')
  space.put(join(space.outside, 'a'), 'not yours')
  expect(await readAll(path, space.access())).toBe('mine')
  rmSync(space.workspace, { recursive: true })
  symlinkSync(space.outside, space.workspace)
  expect(await readAll(path, space.access())).toBe('PATH_NOT_GRANTED')
  expect(await readAll(path, fileSpaceOver(space.workspace))).toBe('not yours')
})

test('no descriptor is left open, whatever the answer', async () => {
  const space = fileSpace()
  space.put('a', 'x')
  const open = (): number => readdirSync('/proc/self/fd').length
  const before = open()
  for (let round = 0; round < 300; round++) {
    for (const path of ['a', 'missing', '../outside', '.'])
      await readAll(join(space.workspace, path), space.access())
  }
  expect(open()).toBeLessThan(before + 200)
})
