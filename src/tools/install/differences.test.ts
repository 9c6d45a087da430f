import { createHash } from 'node:crypto'

import { expect, it } from 'vitest'

import { parseCapability } from '../../core/capability.ts'
import { compareFiles, without } from './differences.ts'

const file = (path: string, text: string | Buffer, executable = false) => {
  const bytes = Buffer.from(text)
  return { path, bytes, executable, sha256: createHash('sha256').update(bytes).digest('hex') }
}

it('says which files are new, gone and changed, and by how many lines', () => {
  const before = [
    file('a', '1\n2\n3\n'),
    file('b', 'x\n'),
    file('same', 'x'),
    file('image', Buffer.of(0, 1)),
    file('run', 'x'),
  ]
  const after = [
    file('a', '1\ntwo\n3\n4\n'),
    file('c', 'one\ntwo'),
    file('same', 'x'),
    file('image', Buffer.of(0, 2)),
    file('run', 'x', true),
  ]
  expect(compareFiles(before, after)).toEqual([
    { path: 'a', kind: 'changed', lines: { added: 2, removed: 1 } },
    { path: 'b', kind: 'removed', lines: { added: 0, removed: 1 } },
    { path: 'c', kind: 'added', lines: { added: 2, removed: 0 } },
    { path: 'image', kind: 'changed' },
    { path: 'run', kind: 'changed', lines: { added: 0, removed: 0 }, executable: true },
  ])
  expect(compareFiles(before, before)).toEqual([])
})

it('treats a large file as changed as a whole', () => {
  const long = (word: string): string => Array.from({ length: 50_000 }, (_, n) => `${word} ${n}\n`).join('')
  expect(compareFiles([file('a', long('old'))], [file('a', long('new'))])).toMatchObject([
    { lines: { added: 50_000, removed: 50_000 } },
  ])
})

it('says which capabilities one has and the other has not', () => {
  const [read, write] = ['fs:read:src/**', 'fs:write:src/**'].map((text) => parseCapability(text)!)
  expect(without([read!, write!], [read!])).toEqual([write])
})
