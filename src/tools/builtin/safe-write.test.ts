import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fileSpace, noPdf, type FileSpace, type RunOptions } from '../../../test/support/file-space.ts'
import { issuesIn } from '../../../test/support/run-tool.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { wholeBytes } from '../files/file-version.ts'
import { safeRead } from './safe-read.ts'
import { safeWrite } from './safe-write.ts'

interface Hands {
  read(path: string, options?: RunOptions): Promise<JsonObject | string>
  write(path: string, content: string, more?: JsonObject, options?: RunOptions): Promise<JsonObject | string>
}

function hands(space: FileSpace): Hands {
  return {
    read: (path, options) => space.run(safeRead(space.files, noPdf), { path }, options),
    write: (path, content, more, options) =>
      space.run(safeWrite(space.files), { path, content, ...more }, options),
  }
}

const hash = expect.stringMatching(/^[0-9a-f]{24}$/)

test('says in few words what it did, and never what is in the file', async () => {
  const space = fileSpace()
  const { write } = hands(space)
  expect(await write('src/a.txt', 'one\ntwo\nthree\n')).toEqual({
    done: 'created',
    lines: '+3',
    bytes: 14,
    hash,
  })
  expect(await write('src/a.txt', 'one\n2\nthree\nfour\n')).toEqual({
    done: 'replaced',
    lines: '+2 -1',
    changed: '2-4',
    bytes: 17,
    hash,
  })
  expect(await write('src/a.txt', 'five\n', { append: true })).toEqual({
    done: 'appended',
    lines: '+1 -0',
    changed: '5-5',
    bytes: 22,
    hash,
  })
  expect(space.get('src/a.txt')).toBe('one\n2\nthree\nfour\nfive\n')
  expect(await write('src/a.txt', space.get('src/a.txt')!)).toMatchObject({ lines: 'no change' })
  expect(await write('new.txt', 'x', { append: true })).toMatchObject({ done: 'created' })
  expect(readdirSync(space.workspace).toSorted()).toEqual(['new.txt', 'src'])
})

test('appending to a file does not count as reading it', async () => {
  const space = fileSpace()
  const { read, write } = hands(space)
  space.put('log', 'not seen\n')
  expect(await write('log', 'more\n', { append: true })).toMatchObject({ done: 'appended' })
  expect(await write('log', 'mine')).toBe('FILE_NOT_READ')
  expect(space.get('log')).toBe('not seen\nmore\n')
  await read('log')
  expect(await write('log', 'again\n', { append: true })).toMatchObject({ done: 'appended' })
  expect(await write('log', 'mine')).toMatchObject({ done: 'replaced' })
  // An empty file has nothing to read.
  space.put('empty', '')
  expect(await write('empty', 'one\n', { append: true })).toMatchObject({ done: 'appended' })
  expect(await write('empty', 'two\n')).toMatchObject({ done: 'replaced' })
})

test('keeps the mode', async () => {
  const space = fileSpace()
  chmodSync(space.put('run.sh', 'old'), 0o755)
  const { read, write } = hands(space)
  await read('run.sh')
  expect(await write('run.sh', 'new')).toMatchObject({ done: 'replaced' })
  expect(statSync(`${space.workspace}/run.sh`).mode & 0o777).toBe(0o755)
})

test('a file that changed since it was read is left alone, until it is read again', async () => {
  const space = fileSpace()
  const { read, write } = hands(space)
  space.put('a', 'first')
  await read('a')
  space.put('a', 'somebody else was here')
  expect(await write('a', 'mine')).toBe('FILE_CHANGED')
  expect(await write('a', 'mine', { append: true })).toBe('FILE_CHANGED')
  expect(space.get('a')).toBe('somebody else was here')
  await read('a')
  expect(await write('a', 'mine')).toMatchObject({ done: 'replaced' })
  // What it wrote itself, it knows.
  expect(await write('a', 'mine again')).toMatchObject({ done: 'replaced' })
  expect(await write('a', ' and more', { append: true })).toMatchObject({ done: 'appended' })
  expect(await write('a', 'the end')).toMatchObject({ done: 'replaced' })
  space.put('a', 'somebody else was here')
  expect(await write('a', 'mine')).toBe('FILE_CHANGED')
})

test('a file that this agent has not read in this session is not replaced', async () => {
  const space = fileSpace()
  const { read, write } = hands(space)
  space.put('a', 'first')
  await read('a', { call: { session: 'another' } })
  await read('a', { call: { principal: { agent: 'another', level: 'default' } } })
  await read('a', { call: { principal: { agent: 'main', level: 'attested', instance: 'second' } } })
  expect(await write('a', 'mine')).toBe('FILE_NOT_READ')
  expect(space.get('a')).toBe('first')
  expect(await write('a', ' and more', { append: true })).toMatchObject({ done: 'appended' })
  expect(await write('a', 'mine')).toBe('FILE_NOT_READ')
  space.put('b', 'first')
  await read('b')
  expect(await write('b', 'mine')).toMatchObject({ done: 'replaced' })
  space.put('empty', '')
  expect(await write('empty', 'mine')).toMatchObject({ done: 'replaced' })
})

test('a large file that was written to counts as changed', async () => {
  const space = fileSpace()
  const { read, write } = hands(space)
  const path = space.put('large', 'text\n')
  truncateSync(path, wholeBytes + 10)
  await read('large')
  expect(await write('large', 'more\n', { append: true })).toMatchObject({
    done: 'appended',
    bytes: wholeBytes + 15,
  })
  expect(await write('large', 'more\n', { append: true })).toMatchObject({ done: 'appended' })
  truncateSync(path, wholeBytes + 100)
  expect(await write('large', 'small')).toBe('FILE_CHANGED')
})

test('a file that is gone can be made again', async () => {
  const space = fileSpace()
  const { read, write } = hands(space)
  space.put('a', 'first')
  await read('a')
  rmSync(`${space.workspace}/a`)
  expect(await write('a', 'x', { expected_hash: 'f'.repeat(24) })).toBe('FILE_CHANGED')
  expect(await write('a', 'new')).toMatchObject({ done: 'created' })
})

test('an expected hash decides, ours or the plain one', async () => {
  const space = fileSpace()
  const { read, write } = hands(space)
  space.put('a', 'first')
  const { hash: ours } = (await read('a')) as { hash: string }
  const plain = createHash('sha256').update('first').digest('hex')
  expect(await write('a', 'x', { expected_hash: 'f'.repeat(24) })).toBe('FILE_CHANGED')
  expect(await write('a', 'x', { expected_hash: 'f'.repeat(64) })).toBe('FILE_CHANGED')
  expect(await write('a', 'first', { expected_hash: plain.toUpperCase() })).toMatchObject({
    done: 'replaced',
  })
  expect(await write('a', 'second', { expected_hash: ours.toUpperCase() })).toMatchObject({
    done: 'replaced',
  })
  expect(await write('a', 'third', { expected_hash: ours })).toBe('FILE_CHANGED')
})

test('what can be no hash of a file is a mistake in the call', () => {
  const tool = safeWrite(fileSpace().files)
  const issues = (expected_hash: string) => issuesIn(tool, { path: 'a', content: '', expected_hash })
  for (const wrong of ['0000', '', 'g'.repeat(24), 'f'.repeat(40)]) {
    expect(issues(wrong)).toEqual([
      {
        field: 'expected_hash',
        expected: 'the hash from an earlier answer, or the hexadecimal SHA-256 of the file',
      },
    ])
  }
  for (const possible of ['0'.repeat(24), 'F'.repeat(64)]) expect(issues(possible)).toEqual([])
})

test('who may write and not read learns nothing about what was there', async () => {
  const space = fileSpace()
  const { write } = hands(space)
  const grants = ['fs:write:**']
  space.put('a', 'guess me')
  const plain = createHash('sha256').update('guess me').digest('hex')
  expect(await write('a', 'x', { expected_hash: plain }, { grants })).toBe('FILE_CHANGED')
  expect(await write('a', 'guess me', {}, { grants })).toEqual({ done: 'replaced', bytes: 8, hash })
  expect(await write('new', 'one\n', {}, { grants })).toMatchObject({ done: 'created', lines: '+1' })
})

test('refusals, by their code', async () => {
  const space = fileSpace({ protect: ['deploy'] })
  const { write } = hands(space)
  expect(await write('../outside/x', 'x')).toBe('PATH_NOT_GRANTED')
  expect(await write('/etc/contextd-test', 'x')).toBe('PATH_NOT_GRANTED')
  expect(await write('.claude/settings.json', '{}')).toBe('PATH_PROTECTED')
  expect(await write('deploy/key', 'x')).toBe('PATH_PROTECTED')
  expect(await write('.', 'x')).toBe('FILE_UNSUITABLE')
  expect(await write('a', 'x', {}, { grants: ['fs:read:**'] })).toBe('PATH_NOT_GRANTED')
})

test('two writes at once: one is done, and the other hears of it or comes after', async () => {
  const space = fileSpace()
  const { read, write } = hands(space)
  space.put('a', 'first')
  await read('a')
  const results = await Promise.all(Array.from({ length: 10 }, (_, n) => write('a', `writer ${n}`)))
  const done = results.filter((result) => result !== 'FILE_CHANGED')
  expect(done.length).toBeGreaterThan(0)
  expect(space.get('a')).toMatch(/^writer \d$/)
  expect(readdirSync(space.workspace)).toEqual(['a'])
})

test('is cheap to list', () => {
  const { name, description, inputSchema } = safeWrite(fileSpace().files).definition
  expect(estimateTokens(JSON.stringify({ name, description, inputSchema }))).toBeLessThan(100)
})

test('a protected name that is a link is not written, by its own name or by that of what it leads to', async () => {
  const space = fileSpace()
  const { write } = hands(space)
  space.put('conf/mcp.json', '{}')
  symlinkSync('conf/mcp.json', join(space.workspace, '.mcp.json'))
  expect(await write('.mcp.json', 'evil')).toBe('PATH_PROTECTED')
  expect(await write('conf/mcp.json', 'evil')).toBe('PATH_PROTECTED')
  expect(await write('conf/other.json', 'fine')).toMatchObject({ done: 'created' })
  expect(space.get('conf/mcp.json')).toBe('{}')
})
