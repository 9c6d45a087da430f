import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { temporaryStore } from '../../../test/support/audit.ts'
import { fileSpace, noPdf, type FileSpace, type RunOptions } from '../../../test/support/file-space.ts'
import { noModel } from '../../../test/support/no-model.ts'
import { issuesIn } from '../../../test/support/run-tool.ts'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { JsonObject } from '@contextd/shared/json/value'
import { answer, type Answer } from '../../core/result.ts'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { createRefs } from '../../stages/budget/refs.ts'
import { budgetStage } from '../../stages/budget/stage.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'
import { wholeBytes } from '../files/file-version.ts'
import { safeRead } from './safe-read.ts'

function read(space: FileSpace, args: JsonObject, options?: RunOptions): Promise<JsonObject | string> {
  return space.run(safeRead(space.files, noPdf), args, options)
}

const numbered = (lines: number): string =>
  Array.from({ length: lines }, (_, n) => `this is line ${n + 1}\n`).join('')

test('a text comes whole, with what there is to know about it', async () => {
  const space = fileSpace()
  space.put('a.txt', 'one\ntwo\n')
  expect(await read(space, { path: 'a.txt' })).toEqual({
    lines: '1-2 of 2',
    bytes: 8,
    hash: expect.stringMatching(/^[0-9a-f]{24}$/),
    text: '1\tone\n2\ttwo\n',
  })
})

test.each([
  [{ offset: 3, limit: 2 }, '3-4 of 100', 3, 4],
  [{ offset: 99 }, '99-100 of 100', 99, 100],
  [{ offset: 0, limit: 1 }, '1-1 of 100', 1, 1],
  [{ offset: -2 }, '99-100 of 100', 99, 100],
  [{ offset: -5, limit: 2 }, '96-97 of 100', 96, 97],
  [{ offset: -500, limit: 1 }, '1-1 of 100', 1, 1],
])('lines by %j', async (range, lines, first, last) => {
  const space = fileSpace()
  space.put('a.txt', numbered(100))
  const found = (await read(space, { path: 'a.txt', ...range })) as JsonObject
  expect(found.lines).toBe(lines)
  const text = found.text as string
  expect(text.startsWith(`${first}\tthis is line ${first}\n`)).toBe(true)
  expect(text.endsWith(`${last}\tthis is line ${last}\n`)).toBe(true)
})

test('behind the end, and in an empty file, there are no lines', async () => {
  const space = fileSpace()
  space.put('a.txt', numbered(3))
  space.put('empty', '')
  expect(await read(space, { path: 'a.txt', offset: 9 })).toMatchObject({ lines: 'none of 3', text: '' })
  expect(await read(space, { path: 'empty' })).toMatchObject({ lines: 'none of 0', text: '' })
})

test('a large text answers its first, its last and any other lines', async () => {
  const space = fileSpace()
  const path = space.put('text.log', numbered(100_000))
  expect(await read(space, { path, limit: 2 })).toMatchObject({
    lines: '1-2, more follow',
    text: '1\tthis is line 1\n2\tthis is line 2\n',
  })
  expect(await read(space, { path, offset: -2 })).toMatchObject({
    lines: '2 from line -2',
    text: 'this is line 99999\nthis is line 100000\n',
  })
  expect(await read(space, { path, offset: 50_000, limit: 1 })).toMatchObject({
    lines: '50000-50000, more follow',
    text: '50000\tthis is line 50000\n',
  })
  expect(await read(space, { path, offset: 99_999 })).toMatchObject({ lines: '99999-100000 of 100000' })
})

test('so does one of two gigabytes, without being read', async () => {
  const space = fileSpace()
  const path = space.put('huge.log', numbered(10_000))
  // Sparse: it takes no room on the disk.
  truncateSync(path, 2 ** 31)
  writeFileSync(path, '\nthe last but one\nthe last\n', { flag: 'a' })
  expect(await read(space, { path, limit: 1 })).toMatchObject({
    text: '1\tthis is line 1\n',
    bytes: 2 ** 31 + 27,
  })
  expect(await read(space, { path, offset: -2 })).toMatchObject({ text: 'the last but one\nthe last\n' })
})

test('binaries are described, not dumped', async () => {
  const space = fileSpace()
  space.put('a.bin', Buffer.from('\x7fELF\0\0', 'latin1'))
  space.put('a.dat', Buffer.from([1, 2, 0, 255]))
  const hash = expect.any(String)
  expect(await read(space, { path: 'a.bin' })).toEqual({
    type: 'binary: ELF program or library',
    bytes: 6,
    hash,
  })
  expect(await read(space, { path: 'a.dat' })).toEqual({ type: 'binary', bytes: 4, hash })
})

test('other encodings are decoded and named', async () => {
  const space = fileSpace()
  space.put('wide.txt', Buffer.from('\uFEFFGrüße\nzwei\n', 'utf16le'))
  space.put('old.txt', Buffer.from('Gr\xfc\xdfe\n', 'latin1'))
  space.put('mark.txt', '\uFEFFGrüße\n')
  expect(await read(space, { path: 'wide.txt', offset: 2 })).toMatchObject({
    lines: '2-2 of 2',
    encoding: 'utf-16le',
    text: '2\tzwei\n',
  })
  expect(await read(space, { path: 'old.txt' })).toMatchObject({ encoding: 'latin1', text: '1\tGrüße\n' })
  expect(await read(space, { path: 'mark.txt' })).toMatchObject({ text: '1\tGrüße\n' })
  space.put('large.txt', Buffer.from(`\uFEFF${'x'.repeat(wholeBytes)}`, 'utf16le'))
  expect(await read(space, { path: 'large.txt' })).toMatchObject({ type: 'UTF-16 text' })
})

test('a folder says how to list it; what is not granted is not there', async () => {
  const space = fileSpace()
  mkdirSync(join(space.workspace, 'folder'))
  expect(await read(space, { path: 'folder' })).toBe('FILE_UNSUITABLE')
  expect(await read(space, { path: 'missing' })).toBe('PATH_NOT_GRANTED')
  expect(await read(space, { path: '/etc/passwd' })).toBe('PATH_NOT_GRANTED')
  expect(await read(space, { path: '~/x' })).toBe('PATH_NOT_GRANTED')
})

test('wrong arguments are found before it runs', () => {
  const check = (args: JsonObject) => issuesIn(safeRead(fileSpace().files, noPdf), args)
  expect(check({ path: 'a', offset: -3, limit: 2 })).toEqual([])
  expect(check({ path: 'a\0b' })).toEqual([
    { field: 'path', expected: expect.stringContaining('without NUL') },
  ])
  expect(check({ path: '', limit: 0 }).map(({ field }) => field)).toEqual(['path', 'limit'])
})

test('is cheap to list', () => {
  const { name, description, inputSchema } = safeRead(fileSpace().files, noPdf).definition
  expect(estimateTokens(JSON.stringify({ name, description, inputSchema }))).toBeLessThan(100)
})

test('a long text is cut to the budget, and goes on behind a ref', async () => {
  const space = fileSpace()
  const digits = Array.from({ length: 2000 }, (_, n) => `${(n * 7919).toString().repeat(4)}\n`)
  space.put('long.txt', digits.join(''))
  const store = temporaryStore()
  const refs = createRefs({ store, clock: Date.now, ttlMs: 60_000, count: estimateTokens })
  const tool = safeRead(space.files, noPdf)
  const stage = budgetStage({
    store,
    refs,
    count: estimateTokens,
    answerTokens: 600,
    model: noModel,
  })
  const result = (await stage(space.call({ resolvedTool: tool }), async () =>
    answer(await read(space, { path: 'long.txt' })),
  )) as Answer
  const { data, refs: places } = result.structured as unknown as { data: JsonObject; refs: JsonObject[] }
  expect(data).toMatchObject({ lines: '1-2000 of 2000' })
  expect(data.text).toMatch(/^1\t0000\n2\t[^]*lines, about .* tokens cut; read_more ref_[\w-]+ offset \d+\]$/)
  const { ref, next } = places[0] as { ref: string; next: number }
  const scope = { tenant: 'local', project: space.workspace, session: 'session-1', agent: 'main' }
  const on = refs.read(scope, ref, next, 100)
  expect(on.text).toMatch(/^\d+\t\d+\n/)
})

test('an ordinary file of 2,000 lines is one answer, and a longer one says where it ends', async () => {
  const space = fileSpace()
  space.put('a.txt', numbered(2000))
  space.put('b.txt', numbered(2500))
  const whole = (await read(space, { path: 'a.txt' })) as { text: string }
  expect(whole).toMatchObject({ lines: '1-2000 of 2000' })
  expect(estimateTokens(whole.text)).toBeLessThan(safeRead(space.files, noPdf).maxTokens!)
  const start = (await read(space, { path: 'b.txt' })) as { text: string }
  expect(start).toMatchObject({ lines: '1-2000 of 2500' })
  expect(start.text.endsWith('2000\tthis is line 2000\n')).toBe(true)
  expect(await read(space, { path: 'b.txt', offset: 2001 })).toMatchObject({ lines: '2001-2500 of 2500' })
})

test('lines after a key keep their numbers', async () => {
  const space = fileSpace()
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  space.put('config.yml', `name: test\n${pem}after: the key\n`)
  const next = 2 + pem.trimEnd().split('\n').length
  expect(await scrubbed(space)({ path: 'config.yml' })).toBe(
    `1\tname: test\n2\t[SECRET_1]\n${next}\tafter: the key\n`,
  )
  expect(await scrubbed(space)({ path: 'config.yml', offset: next })).toBe(`${next}\tafter: the key\n`)
})

/** What the session would see: the tool's own scrubbing, then that of the pipeline, with one memory. */
function scrubbed(space: FileSpace) {
  const scrubber = createScrubber()
  const scrub = (text: string): string => scrubber.scrub(text, { tenant: 'local', session: 's' }).text
  return async (args: JsonObject): Promise<string> => {
    const found = (await read(space, args, { scrub: async (text) => scrub(text) })) as JsonObject
    return scrub(found.text as string)
  }
}

test('no line of a key is readable by itself', async () => {
  const space = fileSpace()
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const lines = pem.trimEnd().split('\n')
  space.put('config.yml', `name: test\n${pem}after: the key\n`)
  const shown = scrubbed(space)
  for (let at = 1; at <= lines.length; at++) {
    const text = await shown({ path: 'config.yml', offset: at + 1, limit: 1 })
    const line = lines[at - 1]!
    // The last line of a key may have few characters of it.
    if (line.length >= 32 && !line.startsWith('-----'))
      expect(text, `line ${at}`).not.toContain(line.slice(-16))
  }
  // The probe would notice: by itself, a line is not known for what it is.
  const alone = createScrubber().scrub(lines[5]!, { tenant: 'local', session: 's' }).text
  expect(alone).toContain(lines[5]!.slice(-16))
})

test('a line that is cut shows no half of a secret', async () => {
  const space = fileSpace()
  const random = seededRandom(4)
  const words = (length: number): string => 'some words '.repeat(Math.ceil(length / 11)).slice(0, length)
  const secret = makeSample('ghp_{alnum:36}', random).text
  // Across the place where the line is cut, and just before it.
  for (const start of [131_072 - 20, 131_072 - 45]) {
    space.put('line.txt', `${words(start)} ${secret} ${words(200_000)}`)
    const found = (await read(space, { path: 'line.txt' })) as JsonObject
    expect(found).toMatchObject({ lines: '1-1 of 1', note: expect.stringContaining('Line 1 is too long') })
    const shown = await scrubbed(space)({ path: 'line.txt' })
    expect(shown.length).toBeGreaterThan(40_000)
    expect(shown).not.toContain(secret.slice(0, 8))
  }
})

test('a secret before the cut is masked, and its token is whole', async () => {
  const space = fileSpace()
  const random = seededRandom(5)
  for (let shift = 0; shift < 30; shift++) {
    const secret = makeSample('ghp_{alnum:36}', random).text
    space.put(
      'line.txt',
      `${'some words '.repeat(11_900)}${'x'.repeat(shift)} ${secret} ${'more '.repeat(50_000)}`,
    )
    const shown = await scrubbed(space)({ path: 'line.txt' })
    expect(shown).not.toContain(secret.slice(0, 8))
    expect(shown).not.toMatch(/\[(?!SECRET_\d+\])/)
  }
})
