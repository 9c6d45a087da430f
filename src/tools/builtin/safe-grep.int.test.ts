/** Through the whole pipeline: grants, scrubbing, budget. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { makeSample, seededRandom } from '@contextd/shared/testing/secret-samples'
import { dataOf, errorIn, toolRuntime, type ToolRuntime } from '../../../test/support/tool-runtime.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { Result } from '../../core/result.ts'

let place: ToolRuntime
beforeEach(async () => {
  place = await toolRuntime()
})
afterEach(() => place.close())

const structured = (result: Result): JsonObject =>
  (result.kind === 'answer' ? result.structured : {}) as JsonObject
const put = (name: string, text: string): void => writeFileSync(join(place.project, name), text)

test('secrets in found lines are masked, and explained', async () => {
  const token = makeSample('ghp_{alnum:36}', seededRandom(7)).text
  const password = makeSample('{alnum:20}', seededRandom(8)).text
  put('settings.env', `# needle in a comment\nDATABASE_PASSWORD=${password} # needle\n`)
  put('token.txt', `the needle is ${token}\n`)
  const result = await place.call('safe_grep', { pattern: 'needle' })
  const { text, found } = dataOf(result) as { text: string; found: string }
  expect(found).toBe('3 lines in 2 files')
  expect(text).toContain('settings.env:1:# needle in a comment\n')
  expect(text).toMatch(/token\.txt:1:the needle is \[SECRET_\d\]\n/)
  for (const secret of [token, password]) expect(text).not.toContain(secret.slice(4, 16))
  expect(structured(result).note).toContain('[SECRET_')
})

test('a long answer is cut to the budget and continues behind a ref', async () => {
  put('long.txt', Array.from({ length: 400 }, (_, line) => `line ${line} with a needle in it\n`).join(''))
  const result = await place.call('safe_grep', { pattern: 'needle' })
  const { data, refs } = structured(result) as unknown as { data: JsonObject; refs: JsonObject[] }
  expect(data).toMatchObject({ found: '400 lines in 1 file' })
  expect(refs).toMatchObject([{ field: 'data.text' }])
  const { ref, next } = refs[0] as { ref: string; next: number }
  const rest = await place.call('read_more', { ref, offset: next })
  expect(dataOf(rest)).toMatch(/^long\.txt:\d+:line \d+ with a needle in it\n/)
})

test('wrong arguments are refused with the reason', async () => {
  put('a.txt', 'a\n')
  const fieldsOf = async (tool: string, args: JsonObject): Promise<unknown> =>
    errorIn(await place.call(tool, args))
  expect(await fieldsOf('safe_grep', { pattern: 'a(' })).toMatchObject({
    fields: [{ field: 'pattern', expected: expect.stringContaining('a regular expression: ') }],
  })
  for (const pattern of ['', String.raw`a\nb`, 'a\nb', 'x'.repeat(1001)])
    expect(await fieldsOf('safe_grep', { pattern }), pattern).toMatchObject({
      fields: [{ field: 'pattern' }],
    })
  expect(await fieldsOf('safe_grep', { pattern: 'a', glob: '{a' })).toMatchObject({
    fields: [{ field: 'glob' }],
  })
  expect(await fieldsOf('safe_glob', { pattern: '[a' })).toMatchObject({ fields: [{ field: 'pattern' }] })
  expect(await fieldsOf('safe_grep', { pattern: 'a', context: 21 })).toMatchObject({
    fields: [{ field: 'context' }],
  })
  // The control: an escaped backslash before an n is no line break.
  expect(dataOf(await place.call('safe_grep', { pattern: String.raw`a\\n` }))).toMatchObject({
    found: '0 lines in 0 files',
  })
})

test('the user’s ripgrep configuration has no effect', async () => {
  mkdirSync(join(place.project, 'sub'))
  put('sub/a.txt', 'Needle\n')
  put('rgrc', '--ignore-case\n')
  process.env.RIPGREP_CONFIG_PATH = join(place.project, 'rgrc')
  try {
    expect(dataOf(await place.call('safe_grep', { pattern: 'needle' }))).toMatchObject({
      found: '0 lines in 0 files',
    })
    expect(dataOf(await place.call('safe_grep', { pattern: 'Needle' }))).toMatchObject({
      found: '1 line in 1 file',
    })
  } finally {
    delete process.env.RIPGREP_CONFIG_PATH
  }
})

test('an agent without fs:read has neither tool', async () => {
  expect(await place.listed()).toEqual(expect.arrayContaining(['safe_glob', 'safe_grep']))
  await place.close()
  const allow = { servers: ['contextd'], capabilities: ['shell:exec'] }
  place = await toolRuntime({
    rules: { agents: { default: { allow } }, defaults: { deny_on_missing_agent: false } },
  })
  const listed = await place.listed()
  expect(listed).not.toContain('safe_grep')
  expect(listed).not.toContain('safe_glob')
  expect(errorIn(await place.call('safe_grep', { pattern: 'a' })).code).toBe('CAPABILITY_NOT_GRANTED')
})
