import { linkSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { markdownIn, type MarkdownSearch } from './markdown-files.ts'

let top: string

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'contextd-markdown-'))
  for (const folder of ['root/sub/.deep', 'elsewhere']) mkdirSync(join(top, folder), { recursive: true })
  for (const file of [
    'root/b.md',
    'root/a.md',
    'root/A.MD',
    'root/x.txt',
    'root/sub/.deep/c.md',
    'elsewhere/d.md',
  ])
    writeFileSync(join(top, file), '')
  symlinkSync('../elsewhere', join(top, 'root/linked'))
  symlinkSync('..', join(top, 'root/sub/circle'))
  symlinkSync('../elsewhere/d.md', join(top, 'root/one.md'))
})
afterEach(() => rmSync(top, { recursive: true, force: true }))

let reported: string[]

function found(search: Omit<MarkdownSearch, 'report'>, folder = 'root'): string[] {
  reported = []
  return markdownIn(join(top, folder), { ...search, report: ({ file }) => reported.push(file) }).map(
    ({ file }) => file.slice(top.length + 1),
  )
}

it('finds files at any depth, and each folder once', () => {
  expect(found({ followsLinks: true })).toEqual([
    'root/a.md',
    'root/b.md',
    'root/one.md',
    'root/linked/d.md',
    'root/sub/.deep/c.md',
  ])
})

it('leaves links alone where it is told to, and takes other endings', () => {
  expect(found({ followsLinks: false })).toEqual(['root/a.md', 'root/b.md', 'root/sub/.deep/c.md'])
  expect(found({ followsLinks: false, ending: /\.md$/i })).toContain('root/A.MD')
})

it('names the folders between', () => {
  expect(markdownIn(join(top, 'root'), { followsLinks: false, report: () => {} }).at(-1)?.folders).toEqual([
    'sub',
    '.deep',
  ])
})

it('finds nothing where there is no folder', () => {
  expect(found({ followsLinks: true }, 'none')).toEqual([])
  expect(found({ followsLinks: true }, 'root/a.md')).toEqual([])
})

it('says where there are more folders than it looks at', () => {
  for (let index = 0; index < 4094; index++) mkdirSync(join(top, 'root', `z${index}`))
  found({ followsLinks: false })
  expect(reported).toHaveLength(1)
  rmSync(join(top, 'root', 'z0'), { recursive: true })
  found({ followsLinks: false })
  expect(reported).toEqual([])
})

it('says where there are more files than it takes', () => {
  for (let index = 0; index < 19_998; index++)
    linkSync(join(top, 'root/a.md'), join(top, `root/z${index}.md`))
  expect(found({ followsLinks: false })).toHaveLength(20_000)
  expect(reported).toHaveLength(1)
  rmSync(join(top, 'root/z0.md'))
  expect(found({ followsLinks: false })).toHaveLength(20_000)
  expect(reported).toEqual([])
})
