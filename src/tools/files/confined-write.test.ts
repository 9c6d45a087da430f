import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fileSpace, type FileSpace } from '../../../test/support/file-space.ts'
import { CodedError } from '../../core/errors/errors.ts'
import { appendToTarget, openForWrite, replaceTarget } from './confined-write.ts'
import type { FileAccess } from './confined-file.ts'

/** What becomes of writing to the path: nothing, or the code of the error. */
async function write(
  space: FileSpace,
  path: string,
  { access = space.access(), between = () => {} }: { access?: FileAccess; between?: () => void } = {},
): Promise<string | undefined> {
  try {
    const target = await openForWrite(join(space.workspace, path), access)
    try {
      between()
      await replaceTarget(target, Buffer.from('written'), space.notes)
    } finally {
      target.close()
    }
  } catch (error) {
    if (error instanceof CodedError) return error.code
    throw error
  }
}

test('a new file appears with its folders, and nothing else stays behind', async () => {
  const space = fileSpace()
  expect(await write(space, 'a/b/c.txt')).toBeUndefined()
  expect(space.get('a/b/c.txt')).toBe('written')
  expect(readdirSync(join(space.workspace, 'a/b'))).toEqual(['c.txt'])
  expect(readdirSync(space.notes)).toEqual([])
  const umask = process.umask()
  expect(statSync(join(space.workspace, 'a/b/c.txt')).mode & 0o777).toBe(0o644 & ~umask)
})

test('a file keeps its mode, and its place behind a link', async () => {
  const space = fileSpace()
  const path = space.put('run.sh', 'old')
  chmodSync(path, 0o751)
  symlinkSync('run.sh', join(space.workspace, 'link'))
  expect(await write(space, 'link')).toBeUndefined()
  expect(space.get('run.sh')).toBe('written')
  expect(statSync(path).mode & 0o777).toBe(0o751)
  expect(lstatSync(join(space.workspace, 'link')).isSymbolicLink()).toBe(true)
})

test('nothing outside is written or made, by whatever name', async () => {
  const space = fileSpace()
  space.put(join(space.outside, 'there'), 'not yours')
  symlinkSync(space.outside, join(space.workspace, 'out'))
  symlinkSync(join(space.outside, 'there'), join(space.workspace, 'file'))
  symlinkSync(join(space.outside, 'new'), join(space.workspace, 'dangling'))
  symlinkSync(join(space.outside, 'folder'), join(space.workspace, 'nowhere'))
  const paths = [
    'out/there',
    'out/new',
    'out/deep/new',
    'file',
    'dangling',
    'nowhere/new',
    '../outside/new',
    '../new',
  ]
  for (const path of paths) expect(await write(space, path), path).toBe('PATH_NOT_GRANTED')
  expect(readdirSync(space.outside)).toEqual(['there'])
  expect(space.get(join(space.outside, 'there'))).toBe('not yours')
  // The probe would notice.
  const access = space.access(`fs:write:${space.outside}/**`)
  for (const path of ['out/there', 'out/new', 'out/deep/new']) {
    expect(await write(space, path, { access }), path).toBeUndefined()
  }
  expect(readdirSync(space.outside).toSorted()).toEqual(['deep', 'new', 'there'])
})

test('protected files are told apart, once they are granted', async () => {
  const space = fileSpace({ protect: ['deploy'] })
  mkdirSync(join(space.workspace, '.git/hooks'), { recursive: true })
  symlinkSync('.git/hooks', join(space.workspace, 'innocent'))
  for (const path of ['.git/hooks/pre-commit', 'innocent/pre-commit', '.mcp.json', 'deploy/x', 'a/.envrc']) {
    expect(await write(space, path), path).toBe('PATH_PROTECTED')
    expect(await write(space, path, { access: space.access('fs:write:src/**') }), path).toBe(
      'PATH_NOT_GRANTED',
    )
    expect(space.get(path), path).toBeUndefined()
  }
  expect(existsSync(join(space.workspace, 'a'))).toBe(false)
  const access = space.access('fs:write:.git/hooks/**')
  expect(await write(space, 'innocent/pre-commit', { access })).toBeUndefined()
  expect(space.get('.git/hooks/pre-commit')).toBe('written')
})

test("contextd's own folders are never written", async () => {
  const space = fileSpace({ ownFolders: ['.state'] })
  space.put('.state/keys/audit', 'key')
  const access = space.access('fs:write:.state/**')
  expect(await write(space, '.state/keys/audit', { access })).toBe('PATH_NOT_GRANTED')
  expect(await write(space, '.state/new', { access })).toBe('PATH_NOT_GRANTED')
})

test('what is no regular file is refused', async () => {
  const space = fileSpace()
  mkdirSync(join(space.workspace, 'folder'))
  space.put('file', 'x')
  expect(await write(space, 'folder')).toBe('FILE_UNSUITABLE')
  expect(await write(space, 'file/below')).toBe('FILE_UNSUITABLE')
  expect(await write(space, 'x'.repeat(300))).toBe('FILE_UNSUITABLE')
  expect(readdirSync(space.workspace).toSorted()).toEqual(['file', 'folder'])
})

test('a read-only file stays as it is', async (context) => {
  // Root may write everything.
  if (process.getuid?.() === 0) context.skip()
  const space = fileSpace()
  chmodSync(space.put('fixed', 'old'), 0o444)
  expect(await write(space, 'fixed')).toBe('FILE_UNSUITABLE')
  expect(space.get('fixed')).toBe('old')
})

test('a file that someone else writes meanwhile is left alone', async () => {
  const space = fileSpace()
  space.put('a', 'old')
  expect(await write(space, 'a', { between: () => void space.put('a', 'theirs') })).toBe('FILE_CHANGED')
  expect(space.get('a')).toBe('theirs')
  expect(await write(space, 'new', { between: () => void space.put('new', 'theirs') })).toBe('FILE_CHANGED')
  expect(space.get('new')).toBe('theirs')
  expect(readdirSync(space.workspace).toSorted()).toEqual(['a', 'new'])
})

test('a folder that is moved away takes the file along, and what took its place is not touched', async () => {
  const space = fileSpace()
  space.put('d/f', 'old')
  const moved = await write(space, 'd/f', {
    between() {
      renameSync(join(space.workspace, 'd'), join(space.workspace, 'aside'))
      symlinkSync(space.outside, join(space.workspace, 'd'))
    },
  })
  expect(moved).toBeUndefined()
  expect(space.get('aside/f')).toBe('written')
  expect(readdirSync(space.outside)).toEqual([])
})

test('a file with hard links is replaced by a separate copy, and is not appended to', async () => {
  const space = fileSpace()
  const other = join(space.outside, 'other')
  linkSync(space.put('shared', 'old'), other)
  const target = await openForWrite(join(space.workspace, 'shared'), space.access())
  await expect(
    appendToTarget({ ...target, existing: target.existing! }, Buffer.from('more')),
  ).rejects.toMatchObject({ code: 'FILE_UNSUITABLE' })
  target.close()
  expect(await write(space, 'shared')).toBeUndefined()
  expect(space.get('shared')).toBe('written')
  expect(space.get(other)).toBe('old')
})

test('appending keeps the file that others have open', async () => {
  const space = fileSpace()
  const path = space.put('log', 'one\n')
  const before = statSync(path).ino
  const target = await openForWrite(path, space.access())
  await appendToTarget({ ...target, existing: target.existing! }, Buffer.from('two\n'))
  // A second time, what was found is not what is there any more.
  await expect(
    appendToTarget({ ...target, existing: target.existing! }, Buffer.from('three\n')),
  ).rejects.toMatchObject({ code: 'FILE_CHANGED' })
  target.close()
  expect(space.get('log')).toBe('one\ntwo\n')
  expect(statSync(path).ino).toBe(before)
})

test('no descriptor is left open, whatever becomes of the write', async () => {
  const space = fileSpace()
  writeFileSync(join(space.workspace, 'file'), '')
  const open = (): number => readdirSync('/proc/self/fd').length
  const before = open()
  for (let round = 0; round < 200; round++) {
    for (const path of ['file', 'file/x', 'new/deep/x', '../x', '.mcp.json', '.']) await write(space, path)
    rmSync(join(space.workspace, 'new'), { recursive: true })
  }
  expect(open()).toBeLessThan(before + 150)
})
