import { generateKeyPairSync } from 'node:crypto'

import { expect, test } from 'vitest'

import { pngOf } from '../../../../test/support/document-files.ts'
import { fileSpace, noPdf, type FileSpace } from '../../../../test/support/file-space.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'
import type { Json, JsonObject } from '@contextd/shared/json/value'
import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import type { ToolHost } from '../../../core/ports.ts'
import type { Answer } from '../../../core/result.ts'
import { safeEdit } from '../../builtin/safe-edit.ts'
import { safeRead } from '../../builtin/safe-read.ts'
import { maxNotebookBytes } from './notebook.ts'

const code = (source: Json, outputs: Json[] = [], run: Json = null): JsonObject => ({
  cell_type: 'code',
  execution_count: run,
  metadata: {},
  source,
  outputs,
})
const stream = (text: Json): JsonObject => ({ output_type: 'stream', name: 'stdout', text })
const shown = (data: JsonObject): JsonObject => ({ output_type: 'display_data', data, metadata: {} })

function notebook(cells: Json[]): string {
  const metadata = { language_info: { name: 'python' } }
  return JSON.stringify({ cells, metadata, nbformat: 4, nbformat_minor: 5 }, null, 1)
}

function noteSpace(cells: Json[] | string, name = 'a.ipynb'): FileSpace {
  const space = fileSpace()
  space.put(name, typeof cells === 'string' ? cells : notebook(cells))
  return space
}

async function read(
  space: FileSpace,
  args: JsonObject = {},
  scrub: ToolHost['scrub'] = async (text) => text,
): Promise<{ data: JsonObject; text: string; content: Answer['content'] }> {
  const host = { call: space.call(), scrub } as ToolHost
  const found = (await safeRead(space.files, noPdf).run({ path: 'a.ipynb', ...args }, host)) as Answer
  const { data } = found.structured as { data: JsonObject }
  return { data, text: data.text as string, content: found.content }
}

test('cells in order, with type, number, source and the text of their outputs', async () => {
  const space = noteSpace([
    { cell_type: 'markdown', metadata: {}, source: ['# Title\n', 'words'] },
    code(
      'print("hi")\n1 / 0',
      [
        stream(['hi\n']),
        {
          output_type: 'error',
          ename: 'E',
          evalue: 'v',
          traceback: ['\x1b[0;31mZeroDivisionError\x1b[0m: by zero'],
        },
      ],
      7,
    ),
    code('', []),
    code('table', [shown({ 'text/plain': ['a  b'], 'text/html': '<table></table>' })]),
  ])
  const { data, text } = await read(space)
  expect(data).toMatchObject({
    cells: '1-4 of 4',
    language: 'python',
    bytes: expect.any(Number) as number,
    hash: expect.stringMatching(/^[0-9a-f]{24}$/) as string,
    note: expect.stringContaining('raw: true') as string,
  })
  expect(text).toBe(
    [
      '--- cell 1: markdown ---',
      '# Title',
      'words',
      '--- cell 2: code [7] ---',
      'print("hi")',
      '1 / 0',
      '--- output of cell 2 ---',
      'hi',
      'ZeroDivisionError: by zero',
      '--- cell 3: code ---',
      '--- cell 4: code ---',
      'table',
      '--- output of cell 4 ---',
      'a  b',
      '[text/html, 1 KB]',
      '',
    ].join('\n'),
  )
})

test.each([
  [{ offset: 2, limit: 2 }, '2-3 of 5', ['x2', 'x3']],
  [{ offset: -1 }, '5-5 of 5', ['x5']],
  [{ offset: 9 }, 'none of 5', []],
  [{ offset: -9, limit: 1 }, '1-1 of 5', ['x1']],
])('cells by %j', async (range, cells, sources) => {
  const { data, text } = await read(noteSpace([1, 2, 3, 4, 5].map((n) => code(`x${n}`))), range)
  expect(data.cells).toBe(cells)
  expect(text.match(/^x\d$/gm) ?? []).toEqual(sources)
})

test('one call shows as many cells as fit, and says so', async () => {
  const line = `${'word '.repeat(20)}\n`
  const { data, text } = await read(noteSpace(Array.from({ length: 50 }, () => code(line.repeat(60)))))
  expect(data.cells).toBe('1-10 of 50')
  expect(text.length).toBeLessThan(66_000)
})

test('a long output loses its middle, at the ends of lines', async () => {
  const lines = Array.from({ length: 5000 }, (_, n) => `line ${n}\n`).join('')
  const { text } = await read(noteSpace([code('x', [stream(lines)])]))
  expect(text.length).toBeLessThan(2200)
  expect(text).toContain('line 0\nline 1\n')
  expect(text).toMatch(/\nline \d+\n\[… [\d,]+ characters left out …\]\nline \d+\n/)
  expect(text).toContain('line 4999\n')
})

test('the first images are returned, the others named', async () => {
  const image = pngOf(64, 48)
  const output = shown({ 'image/png': image.toString('base64'), 'text/plain': ['<Figure>'] })
  const space = noteSpace([
    ...Array.from({ length: 6 }, () => code('plot()', [output])),
    code('broken', [shown({ 'image/png': 'bm90IGFuIGltYWdl' })]),
    code('drawn', [shown({ 'image/svg+xml': '<svg/>' })]),
  ])
  const { text, content } = await read(space)
  expect(content).toEqual(
    Array.from({ length: 4 }, () => ({
      type: 'image',
      mimeType: 'image/png',
      data: image.toString('base64'),
    })),
  )
  expect(text).toContain('[image/png, 64 x 48, 1 KB: image 4 of this answer]')
  expect(text).toContain('--- output of cell 5 ---\n[image/png, 64 x 48, 1 KB]\n')
  expect(text).toContain('[image/png, damaged]')
  expect(text).toContain('[image/svg+xml, 1 KB]')
  // An image of a cell that is not shown is not returned.
  expect((await read(space, { limit: 1 })).content).toHaveLength(1)
})

test.each([
  ['invalid JSON', '{"cells": [\n'],
  ['another format', '{"nbformat": 3,\n "worksheets": []}\n'],
  ['nesting without end', '['.repeat(1_000_000)],
  ['too large to parse', `${notebook([code('x')])}${' '.repeat(maxNotebookBytes)}`],
])('%s is read as text', async (_, content) => {
  const { data, text } = await read(noteSpace(content))
  expect(data.cells).toBeUndefined()
  expect(data.lines).toMatch(/^1-/)
  expect(text).toMatch(/^1\t|^[[{]/)
})

test('so is a notebook under another name, and any notebook with raw', async () => {
  const space = noteSpace([code('x')])
  space.put('a.json', space.get('a.ipynb')!)
  for (const args of [{ path: 'a.json' }, { raw: true }]) {
    expect((await read(space, args)).text).toMatch(/^1\t\{\n2\t "cells": \[/)
  }
})

test('what was read as cells may be edited as JSON', async () => {
  const space = noteSpace([code('old_name = 1')])
  const edit = { path: 'a.ipynb', edits: [{ old: 'old_name', new: 'new_name' }] }
  expect(await space.run(safeEdit(space.files), edit)).toBe('FILE_NOT_READ')
  await read(space)
  expect(await space.run(safeEdit(space.files), edit)).toMatchObject({ done: '1 replaced' })
  expect(space.get('a.ipynb')).toContain('"new_name = 1"')
})

function secretScrub(): ToolHost['scrub'] {
  const scrubber = createScrubber()
  return async (text) => scrubber.scrub(text, { tenant: 'local', session: 's' }).text
}

test('secrets in sources and outputs are masked, whole or in part', async () => {
  const secret = makeSample('ghp_{alnum:36}', seededRandom(8)).text
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
  const lines = key.trimEnd().split('\n')
  const space = noteSpace([
    code(`token = "${secret}"\nafter()`, [stream(`using ${secret}\n`)]),
    code(key, [stream(key)]),
    // A key in two cells, each of which shows no key.
    code(lines.slice(0, 9).join('\n')),
    code(lines.slice(9).join('\n')),
  ])
  const { text } = await read(space, {}, secretScrub())
  expect(text).toContain('after()')
  expect(text).not.toContain(secret.slice(8, 20))
  for (const line of lines.slice(1, -2)) expect(text).not.toContain(line.slice(-16))
  expect(text).toContain('--- cell 2: code ---\n[SECRET_')
  const alone = await read(space, { offset: 4 }, secretScrub())
  for (const line of lines.slice(9, -2)) expect(alone.text).not.toContain(line.slice(-16))
  // The probe would notice.
  expect((await read(space)).text).toContain(lines[10])
})

test('a secret where a long output is cut is not shown in half', async () => {
  const random = seededRandom(9)
  for (let shift = 0; shift < 60; shift += 3) {
    const secret = makeSample('ghp_{alnum:36}', random).text
    const output = `${'x '.repeat(480)}${' '.repeat(shift)}${secret} ${'y '.repeat(3000)}`
    const { text } = await read(noteSpace([code('x', [stream(output)])]), {}, secretScrub())
    expect(text).not.toContain(secret.slice(0, 8))
    expect(text).not.toMatch(/\[(?!SECRET_\d+\]|…)/)
  }
})
