import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { findGitFolder } from './git-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'contextd-git-'))
  mkdirSync(join(folder, 'main/.git/worktrees/tree'), { recursive: true })
  mkdirSync(join(folder, 'main/packages/one'), { recursive: true })
  mkdirSync(join(folder, 'tree'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('is found from a subfolder', () => {
  const found = { root: join(folder, 'main'), common: join(folder, 'main/.git') }
  expect(findGitFolder(join(folder, 'main/packages/one'))).toEqual(found)
})

it("of a linked working tree is the repository's", () => {
  writeFileSync(join(folder, 'tree/.git'), `gitdir: ${folder}/main/.git/worktrees/tree\n`)
  expect(findGitFolder(join(folder, 'tree'))).toEqual({
    root: join(folder, 'tree'),
    common: join(folder, 'main/.git'),
  })
})

it('is rejected if it leads elsewhere', () => {
  writeFileSync(join(folder, 'tree/.git'), 'gitdir: /etc\n')
  expect(findGitFolder(join(folder, 'tree'))).toBeUndefined()
  rmSync(join(folder, 'tree/.git'))
  symlinkSync(join(folder, 'main/.git'), join(folder, 'tree/.git'))
  expect(findGitFolder(join(folder, 'tree'))).toBeUndefined()
})
