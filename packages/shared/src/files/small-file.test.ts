import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { readSmallFile, readSmallText, replaceFile } from './small-file.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-files-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('readSmallFile', () => {
  it('returns the bytes unchanged', () => {
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    writeFileSync(join(folder, 'file'), bytes)
    expect(readSmallFile(join(folder, 'file'))).toEqual({ kind: 'bytes', bytes })
  })

  it('reads up to a megabyte', () => {
    const file = join(folder, 'file')
    writeFileSync(file, Buffer.alloc(1_048_576, 1))
    expect(readSmallFile(file)).toMatchObject({ kind: 'bytes', bytes: { length: 1_048_576 } })
    writeFileSync(file, Buffer.alloc(1_048_577, 1))
    expect(readSmallFile(file)).toEqual({ kind: 'unreadable', why: 'is larger than 1 MB' })
  })

  it('readSmallText returns undefined for missing and oversized files', () => {
    const file = join(folder, 'file')
    writeFileSync(file, 'wörd')
    expect(readSmallText(file)).toBe('wörd')
    expect(readSmallText(file, 4)).toBeUndefined()
    expect(readSmallText(join(folder, 'none'))).toBeUndefined()
  })

  it.runIf(process.platform === 'linux')('reads files that report no size', () => {
    const read = readSmallFile('/proc/self/status')
    expect(read.kind === 'bytes' && read.bytes.toString()).toContain(`Pid:\t${process.pid}\n`)
  })

  it.runIf(process.platform === 'linux')('reports files that can be opened but not read', () => {
    symlinkSync('/proc/self/mem', join(folder, 'link'))
    expect(readSmallFile(join(folder, 'link'))).toEqual({ kind: 'unreadable', why: 'cannot be read (EIO)' })
  })

  it('distinguishes missing from unreadable files', () => {
    writeFileSync(join(folder, 'file'), '')
    symlinkSync('/dev/zero', join(folder, 'device'))
    symlinkSync('nowhere', join(folder, 'link'))
    expect(readSmallFile(join(folder, 'link'))).toEqual({ kind: 'unreadable', why: 'is a broken link' })
    expect(readSmallFile(join(folder, 'none'))).toEqual({ kind: 'missing' })
    expect(readSmallFile(join(folder, 'file', 'none'))).toEqual({ kind: 'missing' })
    expect(readSmallFile(join(folder, 'file'))).toEqual({ kind: 'bytes', bytes: Buffer.of() })
    expect(readSmallFile(folder)).toEqual({ kind: 'unreadable', why: 'is not a regular file' })
    expect(readSmallFile(join(folder, 'device'))).toEqual({
      kind: 'unreadable',
      why: 'is not a regular file',
    })
  })
})

describe('replaceFile', () => {
  it('keeps the mode, whatever the umask, and leaves no temporary file', () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'before')
    chmodSync(path, 0o666)
    replaceFile(path, 'after')
    expect(readFileSync(path, 'utf8')).toBe('after')
    expect(statSync(path).mode & 0o777).toBe(0o666)
    expect(readdirSync(folder)).toEqual(['file'])
  })

  it.runIf(process.getuid?.() === 0)('keeps the owner, who could not read it otherwise', () => {
    const path = join(folder, 'file')
    writeFileSync(path, 'before', { mode: 0o600 })
    chownSync(path, 1234, 4321)
    replaceFile(path, 'after')
    const { uid, gid, mode } = statSync(path)
    expect([readFileSync(path, 'utf8'), uid, gid, mode & 0o777]).toEqual(['after', 1234, 4321, 0o600])
    // A new file belongs to the current user.
    replaceFile(join(folder, 'new'), 'text')
    expect(statSync(join(folder, 'new')).uid).toBe(0)
  })

  it('accepts a name of maximum length', () => {
    const path = join(folder, 'a'.repeat(255))
    replaceFile(path, 'text')
    expect(readFileSync(path, 'utf8')).toBe('text')
  })

  it('creates a new file and its folder for the owner only', () => {
    const path = join(folder, 'new', 'file')
    replaceFile(path, 'text')
    expect(readFileSync(path, 'utf8')).toBe('text')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'new')).mode & 0o777).toBe(0o700)
  })

  it.each(['present', 'missing'])('writes through links to a %s file', (state) => {
    mkdirSync(join(folder, 'dotfiles'))
    const target = join(folder, 'dotfiles', 'file')
    if (state === 'present') writeFileSync(target, 'before')
    symlinkSync('dotfiles/link', join(folder, 'file'))
    symlinkSync('file', join(folder, 'dotfiles', 'link'))
    replaceFile(join(folder, 'file'), 'after')
    expect(lstatSync(join(folder, 'file')).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toBe('after')
  })

  it('leaves the file unchanged if it cannot be replaced', () => {
    const path = join(folder, 'folder')
    mkdirSync(path)
    writeFileSync(join(path, 'inside'), 'kept')
    expect(() => replaceFile(path, 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/)
    expect(readdirSync(folder)).toEqual(['folder'])
    expect(readFileSync(join(path, 'inside'), 'utf8')).toBe('kept')
  })

  it.skipIf(process.platform === 'win32')('does not replace a pipe, even through a link', () => {
    const [pipe, link, file] = ['pipe', 'link', 'file'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ]
    execFileSync('mkfifo', [pipe])
    symlinkSync('pipe', link)
    writeFileSync(file, 'before')
    for (const path of [pipe, link]) expect(() => replaceFile(path, 'text')).toThrow('EEXIST')
    replaceFile(file, 'after')
    expect(lstatSync(pipe).isFIFO()).toBe(true)
    expect(readFileSync(file, 'utf8')).toBe('after')
    expect(readdirSync(folder).toSorted()).toEqual(['file', 'link', 'pipe'])
  })
})
