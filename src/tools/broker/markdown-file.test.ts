import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryFolder } from '../../../test/support/audit.ts'
import { readMarkdownFile } from './markdown-file.ts'

const text = '# Names\n\n- Ödön\n'

function place(): { folder: string; state: string; put: (name: string, content: string | Buffer) => string } {
  const folder = realpathSync(temporaryFolder())
  const state = join(folder, 'state')
  mkdirSync(state)
  return {
    folder,
    state,
    put(name, content) {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}

/** The text, or code and problem. */
async function read(path: string, state: string): Promise<string> {
  const found = await readMarkdownFile(path, state)
  return found.kind === 'text' ? found.text : `${found.code}: ${found.problem}`
}

test('Markdown is read as it is, whatever the case of its ending', async () => {
  const { state, put } = place()
  expect(await read(put('a.md', text), state)).toBe(text)
  expect(await read(put('B.MD', text), state)).toBe(text)
  expect(await read(put('empty.md', ''), state)).toBe('')
})

test('a link is as good as what it leads to', async () => {
  const { folder, state, put } = place()
  const real = put('real.md', text)
  put('secret.txt', 'secret')
  const link = (name: string, to: string): string => {
    symlinkSync(to, join(folder, name))
    return join(folder, name)
  }
  expect(await read(link('good.md', 'real.md'), state)).toBe(text)
  expect(await read(link('chain.md', 'good.md'), state)).toBe(text)
  expect(await read(link('stolen.md', 'secret.txt'), state)).toMatch(/^CONTEXT_NOT_MARKDOWN: it leads to/)
  expect(await read(link('plain', 'real.md'), state)).toMatch(/^CONTEXT_NOT_MARKDOWN: its name/)
  expect(await read(link('loop.md', 'loop.md'), state)).toMatch(
    /^CONTEXT_FILE_MISSING: it cannot be read \(ELOOP\)/,
  )
  expect(await read(link('gone.md', 'nothing.md'), state)).toBe('CONTEXT_FILE_MISSING: it is not there')
  linkSync(real, join(folder, 'second-name.md'))
  expect(await read(join(folder, 'second-name.md'), state)).toBe(text)
})

test.each(['missing.md', 'a.md/below.md'])('%s is not there', async (name) => {
  const { folder, state, put } = place()
  put('a.md', text)
  expect(await read(join(folder, name), state)).toBe('CONTEXT_FILE_MISSING: it is not there')
})

test('something that is not a file is refused under any name', async () => {
  const { folder, state } = place()
  mkdirSync(join(folder, 'folder.md'))
  symlinkSync('/dev/zero', join(folder, 'zero.md'))
  expect(await read(join(folder, 'folder.md'), state)).toBe('CONTEXT_NOT_MARKDOWN: it is not a regular file')
  expect(await read(join(folder, 'zero.md'), state)).toBe('CONTEXT_NOT_MARKDOWN: it is not a regular file')
})

test('64 KB are read and one byte more is not, however large the file really is', async () => {
  const { state, put } = place()
  expect(await read(put('most.md', 'x'.repeat(65_536)), state)).toHaveLength(65_536)
  const large = put('large.md', 'x'.repeat(65_537))
  expect(await read(large, state)).toBe('CONTEXT_NOT_MARKDOWN: it is larger than 64 KB')
  truncateSync(large, 2 ** 40)
  expect(await read(large, state)).toBe('CONTEXT_NOT_MARKDOWN: it is larger than 64 KB')
})

test.each([
  ['half a character', Buffer.from([0x23, 0xc3])],
  ['a NUL', Buffer.from('# a\0b')],
  ['UTF-16', Buffer.from('\uFEFF# a', 'utf16le')],
])('%s is not text', async (_, bytes) => {
  const { state, put } = place()
  expect(await read(put('a.md', bytes), state)).toBe('CONTEXT_NOT_MARKDOWN: it is not UTF-8 text')
})

test('files of contextd itself are never a context', async () => {
  const { folder, state, put } = place()
  put('state/note.md', text)
  symlinkSync('state', join(folder, 'alias'))
  symlinkSync('state/note.md', join(folder, 'note.md'))
  for (const name of ['state/note.md', 'alias/note.md', 'note.md']) {
    expect(await read(join(folder, name), state), name).toMatch(
      /^CONTEXT_NOT_MARKDOWN: it is in a folder of contextd/,
    )
  }
  // The probe would notice: to somebody whose folder lies elsewhere it is a file like any other.
  expect(await read(join(folder, 'note.md'), mkdtempSync(join(folder, 'other-')))).toBe(text)
})

test('a link in the project does not lead out of it', async () => {
  const { folder, state, put } = place()
  const project = join(folder, 'project')
  mkdirSync(join(project, 'docs'), { recursive: true })
  writeFileSync(join(project, 'own.md'), text)
  symlinkSync('../own.md', join(project, 'docs', 'near.md'))
  symlinkSync(put('others.md', 'of another agent'), join(project, 'far.md'))
  symlinkSync(folder, join(project, 'up'))
  symlinkSync(project, join(folder, 'alias'))
  symlinkSync(join(project, 'own.md'), join(folder, 'in.md'))
  const code = async (name: string): Promise<string> => {
    const found = await readMarkdownFile(join(folder, name), state, project)
    return found.kind === 'text' ? found.text : found.problem
  }
  for (const name of ['project/own.md', 'project/docs/near.md', 'in.md', 'alias/own.md']) {
    expect(await code(name)).toBe(text)
  }
  for (const name of ['project/far.md', 'project/up/others.md', 'alias/far.md']) {
    expect(await code(name)).toMatch(/leads out of it$/)
  }
  expect(await code('others.md')).toBe('of another agent')
})
