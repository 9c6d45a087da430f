import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeClaudeFolders, type ClaudeFolders } from '../../../test/claude-folders.ts'

let folders: ClaudeFolders

beforeEach(() => {
  folders = makeClaudeFolders()
  folders.write({ 'project/real/f.txt': '', 'outside/o.txt': '' })
  folders.link({
    'project/link': 'real',
    'project/first': 'second',
    'project/second': '../outside/o.txt',
    'project/lost': '../outside/new.txt',
    'project/loop': 'loop',
    way: 'project',
  })
})
afterEach(() => folders.remove())

test.each<[string, string[], string]>([
  ['project/real/f.txt', ['project/real/f.txt'], 'there'],
  ['project/none.txt', ['project/none.txt'], ''],
  ['project/link', ['project/link', 'project/real'], 'link there'],
  ['project/link/f.txt', ['project/link/f.txt', 'project/real/f.txt'], 'there'],
  ['project/link/new/x.txt', ['project/link/new/x.txt', 'project/real/new/x.txt'], ''],
  ['project/first', ['project/first', 'project/second', 'outside/o.txt'], 'link there'],
  ['project/lost', ['project/lost', 'outside/new.txt'], 'link'],
  ['project/loop', ['project/loop'], 'link'],
])('%s has the names %j', (path, names, what) => {
  const { all, isLink, isThere } = folders.read().namesOf(join(folders.path, path))
  expect(all.map((name) => folders.short(name))).toEqual(names)
  expect([...(isLink ? ['link'] : []), ...(isThere ? ['there'] : [])].join(' ')).toBe(what)
})

test('the path by which the user opened the project is treated as the project', () => {
  const way = join(folders.path, 'way')
  const names = (project?: string): readonly string[] =>
    folders
      .read(project === undefined ? {} : { project })
      .namesOf(join(way, 'real/f.txt'))
      .all.map((name) => folders.short(name))
  expect(names(way)).toEqual(['project/real/f.txt'])
  expect(names()).toEqual(['way/real/f.txt', 'project/real/f.txt'])
})
