import { chmodSync, existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { toolProject, type ToolProject } from '../../../test/support/tool-packages.ts'
import { readPackageFiles, type PackageFiles } from './package-files.ts'
import { createPinnedCopies, describeCopyChanges, type PinnedCopies } from './pinned-copies.ts'

let place: ToolProject
let copies: PinnedCopies
beforeEach(() => {
  place = toolProject()
  copies = createPinnedCopies(join(place.home, 'copies'))
})
afterEach(() => place.remove())

it('keeps the bytes that were read, whatever becomes of the package', () => {
  const folder = place.add({ script: 'echo good', files: { 'lib/data': 'x' } })
  const files = readPackageFiles(folder)
  rmSync(folder, { recursive: true })
  const copy = copies.keep(files)
  expect(readFileSync(join(copy, 'run.sh'), 'utf8')).toContain('echo good')
  expect([
    statSync(join(copy, 'run.sh')).mode & 0o777,
    statSync(join(copy, 'lib/data')).mode & 0o777,
  ]).toEqual([0o500, 0o400])
  expect(statSync(join(place.home, 'copies')).mode & 0o777).toBe(0o700)
  expect(copies.read(files.sha256)?.map(({ path }) => path)).toEqual(files.files.map(({ path }) => path))
})

it.each([
  [
    'a file of it was changed',
    (copy: string) => {
      chmodSync(join(copy, 'run.sh'), 0o700)
      writeFileSync(join(copy, 'run.sh'), '#!/bin/bash\necho evil\n')
    },
  ],
  ['a file was added', (copy: string) => writeFileSync(join(copy, 'extra'), 'evil')],
  ['it is gone', (copy: string) => rmSync(copy, { recursive: true })],
])('is made anew where %s', (_, spoil) => {
  const files = readPackageFiles(place.add({ script: 'echo good' }))
  const copy = copies.keep(files)
  spoil(copy)
  expect(copies.read(files.sha256)).toBeUndefined()
  expect(copies.keep(files)).toBe(copy)
  expect(readFileSync(join(copy, 'run.sh'), 'utf8')).toContain('echo good')
  expect(existsSync(join(copy, 'extra'))).toBe(false)
})

it('removes what nothing refers to, unless a run of it may still go on', () => {
  const [one, other, running] = ['one', 'other', 'running'].map((name) =>
    readPackageFiles(place.add({ name })),
  ) as [PackageFiles, PackageFiles, PackageFiles]
  for (const files of [one, other, running]) utimesSync(copies.keep(files), 1, 1)
  // Whoever runs it, in whichever process, has it kept first.
  createPinnedCopies(join(place.home, 'copies')).keep(running)
  copies.prune(new Set([one.sha256]))
  expect(copies.read(one.sha256)).toBeDefined()
  expect(copies.read(other.sha256)).toBeUndefined()
  expect(copies.read(running.sha256)).toBeDefined()
})

it('tells what is different', () => {
  const folder = place.add({ files: { keep: 'x', drop: 'x' } })
  const before = readPackageFiles(folder).files
  writeFileSync(join(folder, 'run.sh'), '#!/bin/bash\nother\n')
  chmodSync(join(folder, 'keep'), 0o755)
  rmSync(join(folder, 'drop'))
  writeFileSync(join(folder, 'more'), '')
  const after = readPackageFiles(folder).files
  expect(describeCopyChanges(before, after)).toEqual([
    'keep changed',
    'more is new',
    'run.sh changed',
    'drop is gone',
  ])
  expect(describeCopyChanges(before, before)).toEqual([])
  expect(describeCopyChanges(undefined, after)).toEqual(['its files'])
})
