import { rmSync, symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { everythingStored, testRepository, viewOf } from '../../../test/support/repository.ts'
import { ContextdError } from '../../core/errors/errors.ts'
import { finishedFolders } from '../../platform/storage/chunk-words.ts'

const files = {
  'src/users.ts': `/** Looks a user up. */\nexport function getUserById(id: string) {\n  return table.find(id)\n}\n`,
  'src/mail.py': `def send_mail(address):\n    connect()\n    deliver(address)\n`,
  'docs/guide.md': `# Guide\n\nHello.\n\n## Deploying\n\nPush the container to the registry.\n`,
}

test('finds indexed files by name, by parts of it, and by content', async () => {
  const { index, folder, find } = testRepository(files)
  const report = await index.index(folder)
  expect(report).toMatchObject({
    folder,
    files: 3,
    read: 3,
    indexed: 3,
    removed: 0,
    isComplete: true,
    notes: [],
  })
  expect(await find('getUserById')).toEqual(['src/users.ts:1-4'])
  expect(await find('where is the user looked up by id?')).toEqual(['src/users.ts:1-4'])
  expect(await find('deliver mail')).toEqual(['src/mail.py:1-3'])
  expect(await find('push containers')).toEqual(['docs/guide.md:5-7'])
  expect(await find('zebra')).toEqual([])
  expect(index.status(folder)).toMatchObject({ files: 3, chunks: 4 })
})

test('shows the matching lines', async () => {
  const { index, folder } = testRepository(files)
  await index.index(folder)
  const view = viewOf(join(folder, 'src'))
  const { matches } = await index.find({ text: 'deliver to the address', limit: 1, view })
  expect(matches).toMatchObject([{ path: 'mail.py', name: 'send_mail', firstLine: 1, lastLine: 3 }])
  expect(matches[0]!.lines).toEqual([
    { number: 1, text: 'def send_mail(address):' },
    { number: 3, text: '    deliver(address)' },
  ])
})

test('does not open unchanged files, and reads changed ones again', async () => {
  const { index, folder, opened, put, drop, find } = testRepository(files)
  await index.index(folder)
  expect(opened()).toEqual(['docs/guide.md', 'src/mail.py', 'src/users.ts'])
  expect(await index.update(folder)).toMatchObject({ files: 3, read: 0, indexed: 0, removed: 0 })
  expect(opened()).toEqual([])

  put('src/mail.py', 'def receive_mail():\n    fetch()\n')
  put('src/new.go', 'package main\n\nfunc startServer() {}\n')
  drop('docs')
  expect(await index.update(folder)).toMatchObject({ files: 3, read: 2, indexed: 2, removed: 1 })
  expect(opened()).toEqual(['src/mail.py', 'src/new.go'])
  expect(await find('send deliver')).toEqual([])
  expect(await find('receive')).toEqual(['src/mail.py:1-2'])
  expect(await find('container')).toEqual([])
})

test('a file with a new date only is read but not indexed again', async () => {
  const { index, folder, opened, put } = testRepository(files)
  await index.index(folder)
  opened()
  put('src/mail.py', files['src/mail.py'])
  utimesSync(join(folder, 'src/mail.py'), 1000, 1000)
  expect(await index.update(folder)).toMatchObject({ read: 1, indexed: 0 })
  expect(await index.update(folder)).toMatchObject({ read: 0 })
})

test('a change that preserves size and date is noticed', async () => {
  const { index, folder, put, find } = testRepository({ 'a.txt': 'apples' })
  utimesSync(join(folder, 'a.txt'), 1000, 1000)
  await index.index(folder)
  put('a.txt', 'grapes')
  utimesSync(join(folder, 'a.txt'), 1000, 1000)
  await index.update(folder)
  expect(await find('grapes')).toEqual(['a.txt:1-1'])
})

test('a file read while being written is checked again', async () => {
  const { index, folder, opened } = testRepository({ 'a.txt': 'apples' }, { clock: Date.now })
  await index.index(folder)
  opened()
  await index.update(folder)
  expect(opened()).toEqual(['a.txt'])
})

test('respects the ignore files of git and our own at every level', async () => {
  const { index, folder, put, find } = testRepository({
    '.git/info/exclude': 'local.txt',
    '.git/config': 'pear',
    '.gitignore': '*.log\n!keep.log\nbuild/\n',
    '.contextdignore': 'huge/\n!build/\n',
    'sub/.gitignore': '!app.log\n',
    'app.log': 'pear',
    'keep.log': 'pear',
    'sub/app.log': 'pear',
    'local.txt': 'pear',
    'huge/a.txt': 'pear',
    'build/out.txt': 'pear',
  })
  await index.index(folder)
  expect((await find('pear')).sort()).toEqual(['build/out.txt:1-1', 'keep.log:1-1', 'sub/app.log:1-1'])
  put('.gitignore', '')
  put('.contextdignore', 'sub\n')
  await index.update(folder)
  expect((await find('pear', { limit: 10 })).sort()).toEqual([
    'app.log:1-1',
    'build/out.txt:1-1',
    'huge/a.txt:1-1',
    'keep.log:1-1',
  ])
})

test('skips links, binaries, generated files and files that are too large', async () => {
  const { index, folder, put, find, opened } = testRepository({
    'real/plum.txt': 'plum',
    'package-lock.json': '{"plum": 1}',
    'lib.min.js': 'plum()',
    'dist.js': `var plum=1;${'a(b);'.repeat(1000)}`,
    'made.go': '// Code generated by protoc. DO NOT EDIT.\npackage plum\n',
    'large.txt': 'plum '.repeat(30_000),
  })
  put('zeros.dat2', Buffer.from('plum\0plum'))
  symlinkSync(join(folder, 'real'), join(folder, 'linked'))
  symlinkSync(join(folder, 'real/plum.txt'), join(folder, 'link.txt'))
  expect(await index.index(folder)).toMatchObject({ tooLarge: 1 })
  expect(await find('plum', { limit: 10 })).toEqual(['real/plum.txt:1-1'])
  opened()
  // Files without indexable content are remembered, too.
  await index.update(folder)
  expect(opened()).toEqual([])
})

test('stores no secret in words, names or paths, and shows none', async () => {
  const { index, folder, store, find } = testRepository({
    'a.md': '# secret-111 grape\n\ngrape secret-222\n333 is a part of it, grape\n',
    'secret-444.txt': 'grape',
  })
  await index.index(folder)
  expect(await find('grape')).toEqual(['a.md:1-4'])
  const stored = everythingStored(store)
  expect(stored).toContain('a.md')
  expect(stored.match(/111|222|333|444/g)).toBeNull()

  const { matches } = await index.find({ text: 'grape', limit: 1, view: viewOf(folder) })
  expect(matches[0]!.lines).toEqual([
    { number: 1, text: '# [SECRET] grape' },
    { number: 3, text: 'grape [SECRET]' },
    { number: 4, text: ' is a part of it, grape' },
  ])
})

test('a file that cannot be checked is removed from the index', async () => {
  const { index, folder, put, find } = testRepository(
    { 'a.txt': 'melon', 'b.txt': 'melon' },
    {
      secretsIn(text) {
        if (text.includes('odd')) throw new ContextdError('SCRUB_FAILED')
        return []
      },
    },
  )
  await index.index(folder)
  expect(await find('melon')).toHaveLength(2)
  put('b.txt', 'odd melon')
  expect((await index.update(folder)).notes).toEqual(['b.txt: not indexed (SCRUB_FAILED)'])
  expect(await find('melon')).toEqual(['a.txt:1-1'])
})

test('files that no agent may read are not indexed', async () => {
  const { index, folder, opened, find } = testRepository(
    { 'a.txt': 'lemon', 'keys/b.txt': 'lemon' },
    { mayIndex: (path) => !path.includes('/keys/') },
  )
  await index.index(folder)
  expect(opened()).toEqual(['a.txt'])
  expect(await find('lemon')).toEqual(['a.txt:1-1'])
})

test('a caller learns nothing about files it may not read', async () => {
  const { index, folder, find } = testRepository({
    'open/a.txt': 'cherry cherry pie',
    'closed/b.txt': 'cherry cherry cherry',
    'closed/c.txt': 'cherry',
  })
  await index.index(folder)
  const read: string[] = []
  const view = {
    ...viewOf(folder),
    mayRead: (path: string) => !path.startsWith(join(folder, 'closed')),
    read(path: string) {
      read.push(path)
      return viewOf(folder).read(path)
    },
  }
  const answer = await index.find({ text: 'cherry', limit: 1, view })
  expect(answer).toMatchObject({ hasMore: false, notes: [], matches: [{ path: 'open/a.txt' }] })
  expect(read).toEqual([join(folder, 'open/a.txt')])
  // The same question from a caller that may read them.
  expect(await find('cherry')).toHaveLength(3)
  expect(
    (await index.find({ text: 'cherry', limit: 1, view: { ...view, mayRead: () => true } })).hasMore,
  ).toBe(true)
})

test('changed files are indexed again before they are shown', async () => {
  const { index, folder, put, drop, find } = testRepository({
    'a.txt': 'x\n\nquince',
    'b.txt': 'quince',
    'c.txt': 'quince',
  })
  await index.index(folder)
  put('a.txt', `${'y\n'.repeat(100)}quince here\n`)
  put('b.txt', 'nothing')
  drop('c.txt')
  const found = await find('quince')
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(/^a\.txt:\d+-101$/)
})

test('tenants are separate', async () => {
  const { index, folder, reopen } = testRepository({ 'a.txt': 'papaya' })
  await index.index(folder)
  const other = reopen({ tenant: 'other' })
  expect(other.folders()).toEqual([])
  await expect(other.find({ text: 'papaya', limit: 1, view: viewOf(folder) })).rejects.toThrow(
    new ContextdError('NOT_INDEXED'),
  )
  await other.index(folder)
  expect(await other.remove(folder)).toBe(true)
  expect(index.status(folder)).toMatchObject({ files: 1, chunks: 1 })
})

test('a folder inside an indexed one belongs to it, and a workspace above several searches them all', async () => {
  const { index, folder, reopen, find } = testRepository({
    'a/x.txt': 'mango',
    'b/y.txt': 'mango',
    'z.txt': 'mango',
  })
  await index.index(join(folder, 'a'))
  await index.index(join(folder, 'b'))
  expect((await find('mango')).sort()).toEqual(['a/x.txt:1-1', 'b/y.txt:1-1'])
  await index.index(folder)
  expect((await index.index(join(folder, 'a'))).folder).toBe(join(folder, 'a'))
  expect(reopen().folders()).toEqual([folder, join(folder, 'a'), join(folder, 'b')])
  expect(await find('mango')).toHaveLength(3)
  expect((await index.index(join(folder, '.'))).folder).toBe(folder)
  await index.remove(join(folder, 'a'))
  expect((await index.index(join(folder, 'a'))).folder).toBe(folder)
})

test('dropping an index removes everything', async () => {
  const { index, folder, store } = testRepository(files)
  await index.index(folder)
  expect(await index.remove(folder)).toBe(true)
  expect(await index.remove(folder)).toBe(false)
  for (const table of ['indexed_files', 'chunks', 'chunk_words']) {
    expect(store.prepare(`SELECT count(*) AS count FROM ${table}`).get()).toEqual({ count: 0 })
  }
  await expect(index.update(folder)).rejects.toThrow(new ContextdError('NOT_INDEXED'))
})

test('implementations rank before their tests, unless the query is about tests', async () => {
  const same = 'refresh the token\n'
  const { index, folder, find } = testRepository({ 'a/refresh.test.ts': same, 'b/refresh.ts': same })
  await index.index(folder)
  expect(await find('refresh the token')).toEqual(['b/refresh.ts:1-1', 'a/refresh.test.ts:1-1'])
  expect(await find('test that the token is refreshed')).toEqual([
    'a/refresh.test.ts:1-1',
    'b/refresh.ts:1-1',
  ])
})

test('shows at most two parts of a file', async () => {
  const section = (name: string): string => `# ${name}\n\nRefresh the token.\n\n`
  const guide = ['One', 'Two', 'Three'].map(section).join('')
  const { index, folder, find } = testRepository({ 'guide.md': guide, 'other.md': section('Four') })
  await index.index(folder)
  const found = await find('refresh the token', { limit: 10 })
  expect(found.filter((place) => place.startsWith('guide.md'))).toHaveLength(2)
  expect(found).toHaveLength(3)
})

test('continues where it stopped', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, `fig number${at}`]))
  let now = Date.now() + 10_000
  const { index, folder, store, opened } = testRepository(many, { clock: () => now++ })
  const first = await index.index(folder, { maxMs: 50 })
  expect(finishedFolders(store, 'local')).toEqual([])
  expect(first.isComplete).toBe(false)
  expect(first.read).toBeLessThan(60)
  opened()
  const second = await index.update(folder)
  expect(second).toMatchObject({ isComplete: true, read: 200 - first.read })
  expect(finishedFolders(store, 'local')).toEqual([folder])
})

test('stops when aborted, and leaves complete files', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`f${at}.txt`, `fig number${at}`]))
  const { index, folder } = testRepository(many)
  const abort = new AbortController()
  const work = index.index(folder, {
    signal: abort.signal,
    onProgress: ({ done }) => done === 100 && abort.abort(new Error('enough')),
  })
  await expect(work).rejects.toThrow('enough')
  const { files: some } = index.status(folder)!
  expect(some).toBeGreaterThan(0)
  expect(some).toBeLessThan(200)
  expect(await index.update(folder)).toMatchObject({ read: 200 - some })
})

test('two concurrent updates have the same result as one', async () => {
  const { index, folder, reopen, store } = testRepository(files)
  const other = reopen()
  await Promise.all([index.index(folder), other.index(folder), index.index(folder)])
  expect(index.status(folder)).toMatchObject({ files: 3, chunks: 4 })
  expect(store.prepare('SELECT count(*) AS count FROM chunk_words').get()).toEqual({ count: 4 })
})

test('a missing folder is an error, but does not drop its index', async () => {
  const { index, folder, drop } = testRepository({ 'a.txt': 'kiwi' })
  await expect(index.index(join(folder, 'nowhere'))).rejects.toThrow('There is no folder /')
  await expect(index.index(join(folder, 'a.txt'))).rejects.toThrow('There is no folder /')
  await index.index(folder)
  drop('.')
  await expect(index.update(folder)).rejects.toThrow('There is no folder /')
  expect(index.status(folder)).toMatchObject({ files: 1 })
})

test('ignore files above the folder, up to the repository root, apply', async () => {
  const { index, folder, find } = testRepository({
    '.git/HEAD': 'ref',
    '.gitignore': 'out/\n/sub/top.txt\n',
    'sub/a.txt': 'lychee',
    'sub/deep/b.txt': 'lychee',
    'sub/top.txt': 'lychee',
    'sub/out/c.txt': 'lychee',
  })
  await index.index(join(folder, 'sub'))
  expect((await find('lychee')).sort()).toEqual(['sub/a.txt:1-1', 'sub/deep/b.txt:1-1'])
})

test('a folder replaced by a link exposes no other files', async () => {
  const { index, folder, find, put, drop } = testRepository({
    'src/a.txt': 'walnut',
    'closed/a.txt': 'codename heron',
  })
  await index.index(folder)
  const mayRead = (path: string): boolean => path.startsWith(join(folder, 'src/'))
  drop('src')
  symlinkSync('closed', join(folder, 'src'))
  for (const text of ['walnut', 'codename heron']) expect(await find(text, { view: { mayRead } })).toEqual([])
  expect(index.status(folder)).toMatchObject({ files: 1 })
  rmSync(join(folder, 'src'))
  put('src/a.txt', 'walnut and more')
  await index.index(folder)
  expect(await find('walnut', { view: { mayRead } })).toEqual(['src/a.txt:1-1'])
})
