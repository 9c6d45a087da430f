import {
  chmodSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { fileSpace, noPdf, type FileSpace, type RunOptions } from '../../../test/support/file-space.ts'
import { issuesIn } from '../../../test/support/run-tool.ts'
import { safeEdit } from './safe-edit.ts'
import { safeRead } from './safe-read.ts'

function hands(space: FileSpace) {
  return {
    read: async (path: string, options?: RunOptions) =>
      space.run(safeRead(space.files, noPdf), { path }, options),
    edit: async (path: string, edits: JsonObject[], more: JsonObject = {}, options?: RunOptions) =>
      space.run(safeEdit(space.files), { path, edits, ...more }, options),
  }
}

/** A file that was read, and its bytes after the edits. */
async function afterEdits(content: string | Uint8Array, ...edits: JsonObject[]): Promise<Buffer | string> {
  const space = fileSpace()
  const { read, edit } = hands(space)
  const path = space.put('a', content)
  await read('a')
  const done = await edit('a', edits)
  return typeof done === 'string' ? done : readFileSync(path)
}

test('applies several edits at once, and shows the changed lines with their numbers', async () => {
  const space = fileSpace()
  const { read, edit } = hands(space)
  space.put('a.ts', 'one\ntwo\nthree\nfour\n')
  await read('a.ts')
  expect(
    await edit('a.ts', [
      { lines: '1', new: 'a\nb' },
      { old: 'four', new: '4' },
    ]),
  ).toEqual({
    done: '2 replaced',
    text: '1\ta\n2\tb\n5\t4',
    bytes: 16,
    hash: expect.stringMatching(/^[0-9a-f]{24}$/),
  })
  expect(space.get('a.ts')).toBe('a\nb\ntwo\nthree\n4\n')
  // It knows what it wrote.
  expect(await edit('a.ts', [{ old: 'two', new: '2' }])).toMatchObject({ text: '3\t2' })
  expect(await edit('a.ts', [{ lines: '5', new: '' }])).toMatchObject({ done: '1 replaced', text: '' })
  expect(readdirSync(space.workspace)).toEqual(['a.ts'])
})

test('all or nothing', async () => {
  const space = fileSpace()
  const { read, edit } = hands(space)
  space.put('a', 'one\ntwo\n')
  await read('a')
  const good = { old: 'one', new: '1' }
  for (const bad of [
    { old: 'missing', new: 'x' },
    { old: 'o', new: 'x' },
    { old: 'ne\nt', new: 'x' },
    { lines: '7', new: 'x' },
  ]) {
    expect(await edit('a', [good, bad])).toBe('EDIT_NOT_APPLIED')
    expect(space.get('a')).toBe('one\ntwo\n')
  }
  expect(await edit('a', [good, { old: 'two', new: '2' }])).toMatchObject({ done: '2 replaced' })
  expect(space.get('a')).toBe('1\n2\n')
})

test('only a file that this agent has read in this session, as it was then', async () => {
  const space = fileSpace()
  const { read, edit } = hands(space)
  space.put('a', 'one\n')
  const change = [{ old: 'one', new: '1' }]
  expect(await edit('a', change)).toBe('FILE_NOT_READ')
  await read('a', { call: { session: 'another' } })
  await read('a', { call: { principal: { agent: 'another', level: 'default' } } })
  expect(await edit('a', change)).toBe('FILE_NOT_READ')
  const { hash } = (await read('a')) as { hash: string }
  space.put('a', 'one\nmore\n')
  expect(await edit('a', change)).toBe('FILE_CHANGED')
  expect(await edit('a', change, { expected_hash: hash })).toBe('FILE_CHANGED')
  expect(space.get('a')).toBe('one\nmore\n')
  await read('a')
  expect(await edit('a', change)).toMatchObject({ done: '1 replaced' })
  space.put('b', 'one\n')
  const known = { expected_hash: '2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806' }
  expect(await edit('b', change, known)).toMatchObject({ done: '1 replaced' })
})

test('keeps encoding, byte order mark, line ends, final newline and mode', async () => {
  const utf16 = (text: string): Buffer => Buffer.from(`\uFEFF${text}`, 'utf16le')
  const change = { old: 'Grüße\nzwei', new: 'Grüße\n2' }
  expect(await afterEdits('\uFEFFGrüße\r\nzwei', change)).toEqual(Buffer.from('\uFEFFGrüße\r\n2'))
  expect(await afterEdits(utf16('Grüße\r\nzwei\r\n'), change)).toEqual(utf16('Grüße\r\n2\r\n'))
  expect(await afterEdits(utf16('Grüße\nzwei').swap16(), change)).toEqual(utf16('Grüße\n2').swap16())
  expect(await afterEdits(Buffer.from('Grüße\nzwei\n', 'latin1'), change)).toEqual(
    Buffer.from('Grüße\n2\n', 'latin1'),
  )
  const space = fileSpace()
  const { read, edit } = hands(space)
  chmodSync(space.put('run.sh', 'old\n'), 0o755)
  await read('run.sh')
  expect(await edit('run.sh', [{ old: 'old', new: 'new' }])).toMatchObject({ bytes: 4 })
  expect(statSync(join(space.workspace, 'run.sh')).mode & 0o777).toBe(0o755)
})

test('refuses what it could not write back', async () => {
  const change = { old: 'a', new: 'b' }
  expect(await afterEdits(Buffer.from('\x7fELF\0a', 'latin1'), change)).toBe('FILE_UNSUITABLE')
  expect(await afterEdits(Buffer.from('\xff\xfea\0b', 'latin1'), change)).toBe('FILE_UNSUITABLE')
  expect(await afterEdits(Buffer.from('\xfca', 'latin1'), { old: 'a', new: '✓' })).toBe('FILE_UNSUITABLE')
  expect(await afterEdits('a', { old: 'a', new: '\uD800' })).toBe('FILE_UNSUITABLE')
  expect(await afterEdits(Buffer.from('\xfca', 'latin1'), change)).toEqual(Buffer.from('\xfcb', 'latin1'))
})

test('large files are edited up to a limit', async () => {
  const lines = 'a line of text\n'.repeat(200_000)
  const change = { old: 'the end', new: 'THE END' }
  expect(await afterEdits(`${lines}the end\n`, change)).toEqual(Buffer.from(`${lines}THE END\n`))
  expect(await afterEdits(`${lines.repeat(6)}the end\n`, change)).toBe('FILE_UNSUITABLE')
})

test('who may not read learns nothing, and what is protected or outside stays', async () => {
  const space = fileSpace({ protect: ['deploy'] })
  const { read, edit } = hands(space)
  const change = [{ old: 'one', new: '1' }]
  for (const path of ['a', 'deploy/key', '.claude/settings.json', join(space.outside, 'x')]) {
    space.put(path, 'one\n')
    await read(path)
  }
  const onlyWrite = { grants: ['fs:write:**'] }
  expect(await edit('a', change, {}, onlyWrite)).toBe('PATH_NOT_GRANTED')
  expect(await edit('a', change, {}, { grants: ['fs:read:**'] })).toBe('PATH_NOT_GRANTED')
  expect(await edit('deploy/key', change)).toBe('PATH_PROTECTED')
  expect(await edit('.claude/settings.json', change)).toBe('PATH_PROTECTED')
  expect(await edit(join(space.outside, 'x'), change)).toBe('PATH_NOT_GRANTED')
  expect(await edit('.', change)).toBe('FILE_UNSUITABLE')
  expect(await edit('new/folder/a', change)).toBe('PATH_NOT_GRANTED')
  expect(readdirSync(space.workspace)).not.toContain('new')
  expect(await edit('a', change)).toMatchObject({ done: '1 replaced' })
})

test('links: a protected name is refused, a link inside is followed, and hard links are separated', async () => {
  const space = fileSpace()
  const { read, edit } = hands(space)
  const change = [{ old: 'one', new: '1' }]
  space.put('conf/mcp.json', 'one\n')
  symlinkSync('conf/mcp.json', join(space.workspace, '.mcp.json'))
  symlinkSync(space.put(join(space.outside, 'x'), 'one\n'), join(space.workspace, 'out'))
  symlinkSync('target', join(space.workspace, 'link'))
  linkSync(space.put('target', 'one\n'), join(space.outside, 'other-name'))
  for (const path of ['conf/mcp.json', '.mcp.json', 'link']) await read(path)
  expect(await edit('.mcp.json', change)).toBe('PATH_PROTECTED')
  expect(await edit('conf/mcp.json', change)).toBe('PATH_PROTECTED')
  expect(await edit('out', change)).toBe('PATH_NOT_GRANTED')
  expect(await edit('link', change)).toMatchObject({ done: '1 replaced' })
  expect(space.get('target')).toBe('1\n')
  expect(space.get(join(space.outside, 'other-name'))).toBe('one\n')
  expect(space.get(join(space.outside, 'x'))).toBe('one\n')
})

test('a file that is swapped or changed during the edit is left alone', async () => {
  const attacks: Record<string, (space: FileSpace) => void> = {
    replaced: (space) => renameSync(space.put('b', 'other\n'), join(space.workspace, 'a')),
    'written to': (space) => space.put('a', 'one\nmore\n'),
    removed: (space) => rmSync(join(space.workspace, 'a')),
    'a link to a file outside': (space) => {
      rmSync(join(space.workspace, 'a'))
      symlinkSync(space.put(join(space.outside, 'x'), 'one\n'), join(space.workspace, 'a'))
    },
    none: () => {},
  }
  for (const [name, attack] of Object.entries(attacks)) {
    const space = fileSpace()
    const { read, edit } = hands(space)
    space.put('a', 'one\n')
    await read('a')
    // The text is checked for secrets between reading and writing.
    const scrub = async (text: string): Promise<string> => {
      attack(space)
      return text
    }
    const result = await edit('a', [{ old: 'one', new: '1' }], {}, { scrub })
    if (name === 'none') expect(result).toMatchObject({ done: '1 replaced' })
    else expect(result, name).toBe('FILE_CHANGED')
    if (name !== 'none') expect(space.get('a'), name).not.toBe('1\n')
    expect(space.get(join(space.outside, 'x')) ?? 'one\n').toBe('one\n')
  }
})

test('of edits at the same time, each is done or refused, and none is lost', async () => {
  const space = fileSpace()
  const { read, edit } = hands(space)
  space.put('a', Array.from({ length: 10 }, (_, n) => `line ${n}\n`).join(''))
  await read('a')
  const results = await Promise.all(
    Array.from({ length: 10 }, async (_, n) => edit('a', [{ old: `line ${n}`, new: `done ${n}` }])),
  )
  const done = results.filter((result) => typeof result !== 'string')
  expect(results.filter((result) => typeof result === 'string' && result !== 'FILE_CHANGED')).toEqual([])
  expect(done.length).toBeGreaterThan(0)
  expect(space.get('a')!.match(/done/g)).toHaveLength(done.length)
})

test('wrong edits are mistakes in the call', () => {
  const tool = safeEdit(fileSpace().files)
  const issues = (...edits: JsonObject[]) => issuesIn(tool, { path: 'a', edits }).map(({ field }) => field)
  expect(issues({ old: 'x', new: 'y' }, { lines: '3-5', new: '' })).toEqual([])
  expect(issues()).toEqual(['edits'])
  expect(issues({ new: 'x' })).toEqual(['edits[0]'])
  expect(issues({ old: 'x', lines: '1', new: 'x' })).toEqual(['edits[0]'])
  expect(issues({ old: '', new: 'x' })).toEqual(['edits[0]'])
  for (const lines of ['0', '1-', '-2', '1,3', 'x', ''])
    expect(issues({ lines, new: 'x' })).toEqual(['edits[0]'])
  expect(issues(...Array.from({ length: 101 }, () => ({ old: 'x', new: 'y' })))).toEqual(['edits'])
})
