import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { writePackage } from '../../../test/support/tool-packages.ts'
import { fingerprintFolder, readPackageFiles } from './package-files.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-package-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('reads every file, with whether it can be executed', () => {
  writePackage(folder, { 'run.sh': 'x', 'lib/a.txt': 'y', 'TOOL.md': 'z' })
  const { files, problems } = readPackageFiles(folder)
  expect(problems).toEqual([])
  expect(files.map(({ path, bytes, executable }) => [path, bytes.toString(), executable])).toEqual([
    ['TOOL.md', 'z', false],
    ['lib/a.txt', 'y', false],
    ['run.sh', 'x', true],
  ])
})

describe('the hash', () => {
  const change: [string, () => void][] = [
    ['a byte', () => writeFileSync(join(folder, 'lib/a.txt'), 'Y')],
    ['a mode', () => chmodSync(join(folder, 'lib/a.txt'), 0o755)],
    ['a name', () => renameSync(join(folder, 'lib/a.txt'), join(folder, 'lib/b.txt'))],
    ['one file more', () => writeFileSync(join(folder, 'lib/c.txt'), '')],
    ['one file less', () => rmSync(join(folder, 'lib/a.txt'))],
    // The same bytes in the same order, divided otherwise.
    ['a border between files', () => writePackage(folder, { 'TOOL.md': 'zy', 'lib/a.txt': '' })],
  ]
  it.each(change)('is another one after a change of %s', (_, act) => {
    writePackage(folder, { 'run.sh': 'x', 'lib/a.txt': 'y', 'TOOL.md': 'z' })
    const before = [readPackageFiles(folder).sha256, fingerprintFolder(folder)]
    act()
    expect(readPackageFiles(folder).sha256).not.toBe(before[0])
    expect(fingerprintFolder(folder)).not.toBe(before[1])
  })

  it('is the same for the same files elsewhere, and after a touch', () => {
    writePackage(folder, { 'run.sh': 'x', 'lib/a.txt': 'y' })
    const other = `${folder}-other`
    writePackage(other, { 'lib/a.txt': 'y', 'run.sh': 'x' })
    try {
      expect(readPackageFiles(other).sha256).toBe(readPackageFiles(folder).sha256)
    } finally {
      rmSync(other, { recursive: true })
    }
  })
})

describe('what cannot be pinned is a problem', () => {
  it.each<[string, () => void, RegExp]>([
    ['a link', () => symlinkSync('/etc/hostname', join(folder, 'a')), /^a: is a link/],
    ['a link to a folder', () => symlinkSync('/etc', join(folder, 'a')), /^a: is a link/],
    [
      'a pipe, without waiting for it',
      () => execFileSync('mkfifo', [join(folder, 'a')]),
      /^a: is not a regular file/,
    ],
    [
      'too much',
      () => {
        writeFileSync(join(folder, 'a'), '')
        truncateSync(join(folder, 'a'), 40_000_000)
      },
      /^a: the package is larger than 32 MB/,
    ],
    [
      'too many',
      () => {
        for (let n = 0; n < 201; n++) writeFileSync(join(folder, `f${n}`), '')
      },
      /^contains more than 200 files/,
    ],
    ['too deep', () => mkdirSync(join(folder, 'a/b/c/d/e/f/g/h/i'), { recursive: true }), /deeper than 8/],
  ])('%s', (_, act, problem) => {
    act()
    const { problems } = readPackageFiles(folder)
    expect(problems).toEqual([expect.stringMatching(problem)])
  })
})

it('knows what is not there', () => {
  expect(fingerprintFolder(join(folder, 'none'))).toBeUndefined()
  expect(readPackageFiles(join(folder, 'none')).problems).toEqual(['is not a readable folder'])
})
