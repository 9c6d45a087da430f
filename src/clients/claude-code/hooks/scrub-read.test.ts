import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import type { JsonObject } from '@contextd/shared/json/value'
import { adviseRead, maxUncountedChars, type ReadAdvice } from './scrub-read.ts'

let cwd: string
beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'contextd-read-'))
  writeFileSync(join(cwd, 'short.txt'), 'hunter2\n')
  writeFileSync(join(cwd, 'clean.txt'), 'nothing here\n'.repeat(100))
  writeFileSync(join(cwd, 'secrets.txt'), 'pw hunter2\n'.repeat(100))
  writeFileSync(join(cwd, 'line.json'), `{"a":"${'x'.repeat(200)}","b":"hunter2"}`)
  writeFileSync(join(cwd, 'book.ipynb'), JSON.stringify({ cells: ['x'.repeat(200), 'hunter2'] }))
  writeFileSync(join(cwd, 'picture.png'), 'hunter2'.repeat(100))
})
afterAll(() => rmSync(cwd, { recursive: true }))

const advise = (input: JsonObject): Promise<ReadAdvice> =>
  adviseRead(input, { cwd, maxChars: 110 }, async (text) => text.includes('hunter2'))

test('reads a file unchanged if it is short or has no secrets', async () => {
  for (const file_path of ['short.txt', 'clean.txt', 'picture.png', 'missing.txt', '.', '/dev/null']) {
    expect(await advise({ file_path })).toEqual({ kind: 'as-it-is' })
  }
  expect(await advise({ file_path: 'secrets.txt', limit: 3 })).toEqual({ kind: 'as-it-is' })
})

test('reads a long file with secrets in consecutive parts', async () => {
  expect(await advise({ file_path: 'secrets.txt' })).toEqual({ kind: 'in-parts', limit: 10, next: 11 })
  expect(await advise({ file_path: 'secrets.txt', offset: 11 })).toEqual({
    kind: 'in-parts',
    limit: 10,
    next: 21,
  })
  expect(await advise({ file_path: join(cwd, 'secrets.txt'), offset: 95 })).toEqual({ kind: 'as-it-is' })
})

test('does not read what cannot be read in parts', async () => {
  expect(await advise({ file_path: 'line.json' })).toMatchObject({ kind: 'not-at-all' })
  expect(await advise({ file_path: 'book.ipynb' })).toMatchObject({ kind: 'not-at-all' })
})

test("the limit follows the client's configuration", () => {
  expect(maxUncountedChars({})).toBe(12_500)
  expect(maxUncountedChars({ CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: '1000' })).toBe(500)
  expect(maxUncountedChars({ CLAUDE_CODE_FILE_READ_MAX_OUTPUT_TOKENS: '1000000' })).toBe(12_500)
})
