import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, test } from 'vitest'

import { createFileReader } from './written-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-written-'))
  writeFileSync(join(folder, 'a.env'), 'A=välue\n')
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a file that is about to be written', () => {
  test('is read by absolute path, or relative to the project', async () => {
    expect(await createFileReader(undefined)(join(folder, 'a.env'))).toBe('A=välue\n')
    expect(await createFileReader(folder)('a.env')).toBe('A=välue\n')
    expect(await createFileReader(join(folder, 'sub'))('../a.env')).toBe('A=välue\n')
    expect(await createFileReader(undefined)('a.env')).toBeUndefined()
  })

  test('is read through links, like it would be written', async () => {
    symlinkSync('a.env', join(folder, 'link'))
    symlinkSync('.', join(folder, 'here'))
    symlinkSync('circle', join(folder, 'circle'))
    symlinkSync('nowhere', join(folder, 'dangling'))
    const read = createFileReader(folder)
    expect(await read('link')).toBe('A=välue\n')
    expect(await read('here/here/link')).toBe('A=välue\n')
    expect(await read('circle')).toBeUndefined()
    expect(await read('dangling')).toBeUndefined()
  })

  test('is undefined if it is not text', async () => {
    mkdirSync(join(folder, 'sub'))
    writeFileSync(join(folder, 'image.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]))
    const read = createFileReader(folder)
    for (const path of ['missing', 'sub', '', 'a.env/b', 'a\0b', '/dev/zero', 'x'.repeat(5000), 'image.png'])
      expect(await read(path)).toBeUndefined()
  })

  test('is undefined if it is too large', async () => {
    const large = join(folder, 'large')
    writeFileSync(large, Buffer.alloc(16 << 20, 'x'))
    expect((await createFileReader(folder)('large'))?.length).toBe(16 << 20)
    writeFileSync(large, Buffer.alloc((16 << 20) + 1, 'x'))
    expect(await createFileReader(folder)('large')).toBeUndefined()
    truncateSync(large, 2 ** 40)
    expect(await createFileReader(folder)('large')).toBeUndefined()
  })

  test('may be UTF-16', async () => {
    writeFileSync(join(folder, 'wide.txt'), Buffer.from('\ufeffA=välue', 'utf16le'))
    expect(await createFileReader(folder)('wide.txt')).toBe('A=välue')
  })

  test('of a notebook includes the text of its cells', async () => {
    const cells = [{ cell_type: 'code', source: ['k = "a\\\n', 'b"\n'] }, { source: 'x = "y"' }]
    const json = JSON.stringify({ cells })
    writeFileSync(join(folder, 'n.ipynb'), json)
    expect(await createFileReader(folder)('n.ipynb')).toBe(`${json}\ncode\nk = "a\\\nb"\n\nx = "y"`)
    writeFileSync(join(folder, 'n.ipynb'), 'no JSON')
    expect(await createFileReader(folder)('n.ipynb')).toBe('no JSON\n')
  })

  test('has its line ends normalized to line feeds', async () => {
    writeFileSync(join(folder, 'a.txt'), 'one\r\ntwo\nthree')
    expect(await createFileReader(folder)('a.txt')).toBe('one\ntwo\nthree')
  })
})
