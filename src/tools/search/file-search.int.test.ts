/** Every engine passes the same tests. */

import { generateKeyPairSync } from 'node:crypto'
import { symlinkSync, utimesSync } from 'node:fs'
import { join } from 'node:path'

import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { fileSpace, type FileSpace, type RunOptions } from '../../../test/support/file-space.ts'
import { enginesHere, openSearchSandbox } from '../../../test/support/search-engines.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import { runTool } from '../../../test/support/run-tool.ts'
import type { Answer } from '../../core/result.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'
import { safeGlob } from '../builtin/safe-glob.ts'
import { safeGrep } from '../builtin/safe-grep.ts'

let sandbox: Awaited<ReturnType<typeof openSearchSandbox>>
beforeAll(async () => {
  sandbox = await openSearchSandbox()
})
afterAll(() => sandbox.close())

describe.each(enginesHere)('$title', (engine) => {
  const run = async (space: FileSpace, args: JsonObject, options?: RunOptions): Promise<JsonObject> => {
    const tool = (args.pattern === undefined ? safeGlob : safeGrep)(sandbox.searchIn(space, engine))
    const { list, ...rest } = args
    const found = await space.run(tool, list === undefined ? rest : { ...rest, pattern: list }, options)
    if (typeof found === 'string') throw new Error(found)
    return found
  }
  const textOf = async (space: FileSpace, args: JsonObject, options?: RunOptions): Promise<string[]> =>
    ((await run(space, args, options)).text as string).split('\n').slice(0, -1)
  const isRipgrep = engine.title !== 'our own'

  test('finds lines, files and counts', async () => {
    const space = fileSpace()
    space.put('src/a.ts', 'one foo\ntwo\nthree foo foo\n')
    space.put('src/deep/b.ts', 'foo at the end without a line end')
    space.put('c.md', 'Foo\n')
    const before = sandbox.runs()
    expect(await run(space, { pattern: 'foo' })).toEqual({
      found: '3 lines in 2 files',
      text: 'src/a.ts:1:one foo\nsrc/a.ts:3:three foo foo\nsrc/deep/b.ts:1:foo at the end without a line end\n',
    })
    // Otherwise another engine would have answered.
    expect(sandbox.runs() - before).toBe(isRipgrep ? 1 : 0)
    expect(await run(space, { pattern: 'foo', mode: 'count' })).toEqual({
      found: '3 lines in 2 files',
      text: 'src/a.ts:2\nsrc/deep/b.ts:1\n',
    })
    expect(await run(space, { pattern: '(?i)foo', mode: 'files' })).toEqual({
      found: '3 files',
      text: 'c.md\nsrc/a.ts\nsrc/deep/b.ts\n',
    })
    expect(await run(space, { pattern: 'nowhere' })).toEqual({ found: '0 lines in 0 files', text: '' })
  })

  test('shows the context of a match', async () => {
    const space = fileSpace()
    space.put('a.txt', '1\n2\n3 x\n4\n5\n6\n7\n8 x\n9 x\n')
    space.put('b.txt', 'x\n')
    expect(await textOf(space, { pattern: 'x', context: 1 })).toEqual([
      'a.txt-2-2',
      'a.txt:3:3 x',
      'a.txt-4-4',
      '--',
      'a.txt-7-7',
      'a.txt:8:8 x',
      'a.txt:9:9 x',
      '--',
      'b.txt:1:x',
    ])
  })

  test.each([
    ['^b+$', ['a.txt:2:bb']],
    [String.raw`\bword\b`, ['a.txt:3:a word here']],
    [String.raw`(\w+) = \d{2,}`, ['a.txt:4:size = 42']],
    ['[^ -~]{3}', ['a.txt:5:ÄÖÜ and 𝒳']],
    ['𝒳$', ['a.txt:5:ÄÖÜ and 𝒳']],
    ['--flag', ['a.txt:6:--flag']],
    [String.raw`\.`, ['a.txt:7:windows.']],
    [String.raw`windows\.$`, ['a.txt:7:windows.']],
    [String.raw`C:\\new`, ['a.txt:8:C:\\new']],
  ])('%s', async (pattern, expected) => {
    const space = fileSpace()
    space.put(
      'a.txt',
      'a\nbb\na word here\nsize = 42\nÄÖÜ and 𝒳\n--flag\nwindows.\r\nC:\\new\nsword wordy\nsize = 4\n',
    )
    expect(await textOf(space, { pattern })).toEqual(expected)
  })

  test('a pattern that is not valid says why', async () => {
    const space = fileSpace()
    space.put('a.txt', 'a\n')
    const refused = async (args: JsonObject): Promise<unknown> => {
      const tool = safeGrep(sandbox.searchIn(space, engine))
      const host = { call: space.call(), scrub: async (text: string) => text } as ToolHost
      return runTool(tool, args, host).catch((error: unknown) => (error as { details: JsonObject }).details)
    }
    for (const pattern of ['foo(', '[a', 'a**b(?=c)', '(?<n>a)(?<n>b)'])
      expect(await refused({ pattern }), pattern).toMatchObject({
        fields: [
          { field: 'pattern', expected: expect.stringMatching(/^a regular expression: [a-z-]+,? [a-z]/) },
        ],
      })
    expect(((await refused({ pattern: 'foo()|a' })) as Answer).structured).toMatchObject({
      data: { found: '1 line in 1 file' },
    })
  })

  test('ignores what git ignores, and nothing else', async () => {
    const space = fileSpace()
    const names = ['.env.example', '.github/ci.yml', 'kept.log', 'src/a.txt', 'src/build/x.txt']
    for (const name of [...names, 'a.log', 'dist/b.txt', 'src/c.tmp', 'excluded.txt', '.git/config'])
      space.put(name, 'foo\n')
    space.put('.gitignore', '*.log\n!kept.log\n/dist/\n')
    space.put('src/.gitignore', '*.tmp\n')
    space.put('.git/info/exclude', 'excluded.txt\n')
    space.put('.ignore', 'src\n')
    expect(await textOf(space, { pattern: 'foo', mode: 'files' })).toEqual(names)
    // The ignore files above the folder apply.
    space.put('src/d.log', 'foo\n')
    expect(await textOf(space, { pattern: 'foo', mode: 'files', path: 'src' })).toEqual([
      'src/a.txt',
      'src/build/x.txt',
    ])
    const all = [...names, '.gitignore', '.ignore', 'src/.gitignore'].sort()
    expect((await textOf(space, { list: '**' })).sort()).toEqual(all)
    // A file that is named is searched.
    expect(await textOf(space, { pattern: 'foo', path: 'a.log' })).toEqual(['a.log:1:foo'])
  })

  test.each([
    ['*.ts', ['a.ts', 'packages/x/src/d.ts', 'src/b.ts', 'src/deep/c.ts']],
    ['src/*.ts', ['src/b.ts']],
    ['src/**/*.{ts,md}', ['src/b.ts', 'src/deep/c.ts', 'src/e.md']],
    ['{src,packages}/**/[bd].ts', ['packages/x/src/d.ts', 'src/b.ts']],
    ['**/deep/*', ['src/deep/c.ts']],
    ['!*.ts', ['src/e.md', 'src/f.t?s']],
    [String.raw`*.t\?s`, ['src/f.t?s']],
    ['src', []],
  ])('the glob %s', async (glob, expected) => {
    const space = fileSpace()
    for (const name of ['a.ts', 'src/b.ts', 'src/deep/c.ts', 'packages/x/src/d.ts', 'src/e.md', 'src/f.t?s'])
      space.put(name, 'foo\n')
    expect(await textOf(space, { pattern: 'foo', glob, mode: 'files' })).toEqual(expected)
    expect((await textOf(space, { list: glob })).sort()).toEqual(expected)
    // An ignored file stays ignored, whatever the glob.
    space.put('.gitignore', '/src\n')
    expect(await textOf(space, { pattern: 'foo', glob, mode: 'files' })).toEqual(
      expected.filter((name) => !name.startsWith('src/')),
    )
  })

  test('lists the newest file first', async () => {
    const space = fileSpace()
    for (const [name, time] of Object.entries({ 'old.txt': 1, 'new.txt': 3, 'b.txt': 2, 'a.txt': 2 }))
      utimesSync(space.put(name, ''), time, time)
    expect(await run(space, { list: '*.txt' })).toEqual({
      found: '4 files',
      text: 'new.txt\na.txt\nb.txt\nold.txt\n',
    })
  })

  test('skips binary files, links and names with line breaks, and decodes UTF-16', async () => {
    const space = fileSpace()
    space.put('binary', 'foo\n\0\nfoo\n')
    space.put('wide.txt', Buffer.from('\uFEFFfoo Grüße\n', 'utf16le'))
    space.put('mark.txt', '\uFEFFfoo\n')
    space.put('old.txt', Buffer.from('foo Gr\xfc\xdfe\n', 'latin1'))
    space.put('line\nbreak', 'foo\n')
    symlinkSync(join(space.workspace, 'mark.txt'), join(space.workspace, 'link.txt'))
    expect(await textOf(space, { pattern: '^foo' })).toEqual([
      'mark.txt:1:foo',
      'old.txt:1:foo Gr\uFFFD\uFFFDe',
      'wide.txt:1:foo Grüße',
    ])
    // The only file of a search is not skipped.
    expect(await run(space, { pattern: '^foo', path: 'line\nbreak' })).toEqual({
      found: '1 line in 1 file',
      text: 'line\nbreak:1:foo\n',
    })
  })

  test('a long line is reported, not shown', async () => {
    const space = fileSpace()
    space.put('min.js', `${'x'.repeat(990)} foo\nshort foo\n${'x'.repeat(2000)} foo\n`)
    expect(await textOf(space, { pattern: 'foo' })).toEqual([
      `min.js:1:${'x'.repeat(990)} foo`,
      'min.js:2:short foo',
      'min.js:3:(longer than 1000 bytes)',
    ])
  })

  test('says what was cut', async () => {
    const space = fileSpace()
    space.put('a.txt', 'foo\n'.repeat(700))
    const found = await run(space, { pattern: 'foo' })
    expect(found).toMatchObject({
      found: '700 lines in 1 file',
      note: expect.stringMatching(/^Shown are the first 500 lines\. .*narrow/),
    })
    expect((found.text as string).split('\n')).toHaveLength(501)
    // The control: what fits has no note.
    expect(await run(space, { pattern: 'foo', mode: 'count' })).not.toHaveProperty('note')
    for (let file = 0; file < 1100; file++) space.put(`many/${file}.md`, 'bar\n')
    expect(await run(space, { list: '*.md' })).toMatchObject({
      found: '1100 files',
      note: expect.stringContaining('newest 1000'),
    })
    expect(await run(space, { pattern: 'bar', mode: 'files' })).toMatchObject({
      found: '1100 files',
      note: expect.stringContaining('first 1000 files'),
    })
  })

  test('files that the agent may not read do not appear', async () => {
    const space = fileSpace()
    for (const name of ['open/a.txt', 'closed/b.txt', 'open/part/c.txt']) space.put(name, 'foo\n')
    const outside = space.put(join(space.outside, 'd.txt'), 'foo\n')
    symlinkSync(space.outside, join(space.workspace, 'open', 'link'))
    const everything = ['closed/b.txt', 'open/a.txt', 'open/part/c.txt']
    const listed = async (grants: string[], path?: string): Promise<string[][]> => {
      const at = path === undefined ? {} : { path }
      const found = await textOf(space, { pattern: 'foo', mode: 'files', ...at }, { grants })
      expect(await textOf(space, { pattern: 'f(o)o', ...at }, { grants })).toHaveLength(found.length)
      return [found, (await textOf(space, { list: '**', ...at }, { grants })).sort()]
    }
    // The probe would notice them.
    expect(await listed(['fs:read:**'])).toEqual([everything, everything])
    expect(await listed([`fs:read:${space.outside}/**`], space.outside)).toEqual([[outside], [outside]])
    for (const grants of [['fs:read:open/**'], ['fs:read:open/*.txt', 'fs:read:open/part/c.*']])
      expect(await listed(grants)).toEqual([everything.slice(1), everything.slice(1)])
    expect(await listed(['fs:read:open/*.txt'])).toEqual([['open/a.txt'], ['open/a.txt']])
    await expect(listed(['fs:read:open/**'], 'closed')).rejects.toThrow('PATH_NOT_GRANTED')
    await expect(listed(['fs:read:open/**'], 'missing')).rejects.toThrow('PATH_NOT_GRANTED')
    await expect(listed(['fs:read:**'], space.outside)).rejects.toThrow('PATH_NOT_GRANTED')
  })

  test('nor what the rules exclude', async () => {
    const space = fileSpace()
    for (const name of ['a.txt', 'private/b.txt', 'c.pem']) space.put(name, 'foo\n')
    const excluding = async (...except: string[]): Promise<string[]> => {
      const call = { grants: [{ kind: 'fs:read' as const, scope: '**', except }] }
      return textOf(space, { pattern: 'foo', mode: 'files' }, { call })
    }
    expect(await excluding()).toEqual(['a.txt', 'c.pem', 'private/b.txt'])
    expect(await excluding('private/**')).toEqual(['a.txt', 'c.pem'])
    expect(await excluding('*.pem', 'private/**')).toEqual(['a.txt'])
  })

  test('no line of a key is readable by itself', async () => {
    const space = fileSpace()
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
    const lines = pem.trimEnd().split('\n')
    space.put('config.yml', `name: test\n${pem}after: the key\n`)
    space.put('windows.yml', `name: test\r\n${pem.replaceAll('\n', '\r\n')}after: the key\r\n`)
    const scrubber = createScrubber()
    const scrub = (text: string): string => scrubber.scrub(text, { tenant: 'local', session: 's' }).text
    for (const line of lines.slice(1, -1).filter(({ length }) => length >= 32)) {
      const pattern = line.slice(0, 12).replace(/[+/]/g, '.')
      const found = await run(space, { pattern }, { scrub: async (text) => scrub(text) })
      expect(found.found).toBe('2 lines in 2 files')
      const shown = scrub(found.text as string)
      expect(shown).toMatch(/^config\.yml:\d+:\[.*\]\nwindows\.yml:\d+:\[.*\]\n$/)
      expect(shown).not.toContain(line.slice(-16))
      // The probe would notice: by itself, a line is not recognized.
      const alone = createScrubber().scrub(line, { tenant: 'local', session: 's' }).text
      expect(alone).toContain(line.slice(-16))
    }
    const after = await run(space, { pattern: 'after' }, { scrub: async (text) => scrub(text) })
    expect(scrub(after.text as string)).toContain('after: the key\n')
  }, 60_000)
})
