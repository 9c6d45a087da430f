import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'

import { expect, onTestFinished, test } from 'vitest'

import { createRepositoryFinder, isGitDir } from './find-repositories.ts'

function workspace(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'contextd-find-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function makeGitDir(folder: string): void {
  for (const name of ['objects', 'refs']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
}

const names = (root: string, paths: readonly string[]): string[] =>
  paths.map((path) => relative(root, path)).toSorted()

test('repositories are found by what is in them, whatever they are called', async () => {
  const root = workspace()
  for (const name of ['.git', '.git/modules/a', 'node_modules/x/.git', 'docs/plain', ''])
    makeGitDir(join(root, name))
  mkdirSync(join(root, 'later/.git'), { recursive: true })
  mkdirSync(join(root, 'pointed'))
  writeFileSync(join(root, 'pointed/.git'), 'gitdir: ../docs/plain\n')
  mkdirSync(join(root, 'other'))
  writeFileSync(join(root, 'other/HEAD'), 'a file of that name\n')
  const { gitDirs, workTrees } = await createRepositoryFinder().find([root])
  expect(names(root, gitDirs)).toEqual(
    ['', '.git', '.git/modules/a', 'docs/plain', 'later/.git', 'node_modules/x/.git'].toSorted(),
  )
  expect(names(root, workTrees)).toEqual(['', 'later', 'node_modules/x', 'pointed'])
})

test('what changes after the first look is found by the next one', async () => {
  const root = workspace()
  const finder = createRepositoryFinder()
  mkdirSync(join(root, 'a/b'), { recursive: true })
  const look = async (): Promise<string[]> => names(root, (await finder.find([root])).gitDirs)
  expect(await look()).toEqual([])
  makeGitDir(join(root, 'a/b/c'))
  expect(await look()).toEqual(['a/b/c'])
  renameSync(join(root, 'a/b/c'), join(root, 'd'))
  expect(await look()).toEqual(['d'])
  rmSync(join(root, 'd'), { recursive: true })
  expect(await look()).toEqual([])
})

test('links are not followed, and what they lead to is found where it is', async () => {
  const root = workspace()
  makeGitDir(join(root, 'store'))
  symlinkSync('store', join(root, '.git'))
  symlinkSync(root, join(root, 'again'))
  const { gitDirs, workTrees } = await createRepositoryFinder().find([root])
  expect([names(root, gitDirs), names(root, workTrees)]).toEqual([['store'], ['']])
})

test('an unreadable folder is searched once it is readable again', async () => {
  const root = workspace()
  makeGitDir(join(root, 'a/repo'))
  chmodSync(join(root, 'a'), 0)
  onTestFinished(() => chmodSync(join(root, 'a'), 0o700))
  const finder = createRepositoryFinder()
  await finder.find([root])
  chmodSync(join(root, 'a'), 0o700)
  expect(names(root, (await finder.find([root])).gitDirs)).toEqual(['a/repo'])
})

test('a file about to be written can make a folder a repository', () => {
  const root = workspace()
  expect(isGitDir(root, join(root, 'HEAD'))).toBe(false)
  mkdirSync(join(root, 'refs'))
  expect(isGitDir(root, join(root, 'HEAD'))).toBe(true)
  expect(isGitDir(root, join(root, 'objects/x'))).toBe(false)
  writeFileSync(join(root, 'HEAD'), 'ref: refs/heads/main\n')
  expect(isGitDir(root)).toBe(true)
})
