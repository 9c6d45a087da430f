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

function search(options: Omit<MarkdownSearch, 'report'>, folder = 'root'): string[] {
  reported = []
  return markdownIn(join(top, folder), { ...options, report: ({ file }) => reported.push(file) }).map(
    ({ file }) => file.slice(top.length + 1),
  )
}

it('finds files at any depth, and each folder once', () => {
  expect(search({ followsLinks: true })).toEqual([
    'root/a.md',
    'root/b.md',
    'root/one.md',
    'root/linked/d.md',
    'root/sub/.deep/c.md',
  ])
})

it('skips links if configured, and accepts other extensions', () => {
  expect(search({ followsLinks: false })).toEqual(['root/a.md', 'root/b.md', 'root/sub/.deep/c.md'])
  expect(search({ followsLinks: false, ending: /\.md$/i })).toContain('root/A.MD')
})

it('lists the folders between', () => {
  expect(markdownIn(join(top, 'root'), { followsLinks: false, report: () => {} }).at(-1)?.folders).toEqual([
    'sub',
    '.deep',
  ])
})

it('finds nothing without a folder', () => {
  expect(search({ followsLinks: true }, 'none')).toEqual([])
  expect(search({ followsLinks: true }, 'root/a.md')).toEqual([])
})

it('reports if there are too many folders', () => {
  for (let index = 0; index < 4094; index++) mkdirSync(join(top, 'root', `z${index}`))
  search({ followsLinks: false })
  expect(reported).toHaveLength(1)
  rmSync(join(top, 'root', 'z0'), { recursive: true })
  search({ followsLinks: false })
  expect(reported).toEqual([])
})

it('reports if there are too many files', () => {
  for (let index = 0; index < 19_998; index++)
    linkSync(join(top, 'root/a.md'), join(top, `root/z${index}.md`))
  expect(search({ followsLinks: false })).toHaveLength(20_000)
  expect(reported).toHaveLength(1)
  rmSync(join(top, 'root/z0.md'))
  expect(search({ followsLinks: false })).toHaveLength(20_000)
  expect(reported).toEqual([])
})
