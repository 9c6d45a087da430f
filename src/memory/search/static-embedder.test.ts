import { copyFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { afterAll, describe, expect, test } from 'vitest'

import { testEmbedder } from '../../../test/support/embedder-suite.ts'
import { openStaticEmbedder } from './static-embedder.ts'

const own = new URL('../../../assets/embedder/contextd-static.bin', import.meta.url)
const folder = mkdtempSync(join(tmpdir(), 'static-embedder-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('like every embedder', () => {
  testEmbedder(() => openStaticEmbedder())
})

async function closeness(one: string, other: string): Promise<number> {
  const [a, b] = await (await openStaticEmbedder()).embed([one, other], { as: 'document' })
  return a!.reduce((sum, value, at) => sum + value * b![at]!, 0)
}

test.each([
  [
    'the process ran out of memory',
    'heap grew until it was killed by the OOM killer',
    'the colours of the logo are too dark',
  ],
  ['undo the last deployment', 'roll back a release', 'translate the user manual'],
  ['two threads wait on each other forever', 'deadlock between mutexes', 'sort files by date'],
  ['check the credentials of a user', 'verifyPassword(login)', 'renderTableHeader(columns)'],
  ['where are containers orchestrated', 'kubernetes cluster', 'regex for email addresses'],
])('%j is closer to %j than to %j', async (text, near, far) => {
  expect(await closeness(text, near)).toBeGreaterThan(0.1 + (await closeness(text, far)))
})

test('the spelling style of an identifier does not matter', async () => {
  expect(await closeness('getUserById', 'GET_USER_BY_ID')).toBeCloseTo(1, 4)
  expect(await closeness('src/http/server.ts', 'src http server ts')).toBeCloseTo(1, 4)
})

test('texts without a known word are similar only to themselves', async () => {
  expect(await closeness('キャッシュを消す', 'キャッシュを消す')).toBeCloseTo(1, 4)
  expect(Math.abs(await closeness('キャッシュを消す', 'データベース'))).toBeLessThan(0.4)
  expect(Math.abs(await closeness('', 'キャッシュを消す'))).toBeLessThan(0.4)
  expect(Math.abs(await closeness('', 'delete the cache'))).toBeLessThan(0.4)
})

test('a table elsewhere can be given as path or URL', async () => {
  const file = join(folder, 'copy.bin')
  copyFileSync(own, file)
  expect((await openStaticEmbedder(file)).model).toBe('contextd-static-1')
  expect((await openStaticEmbedder(pathToFileURL(file))).model).toBe('contextd-static-1')
})

test('a missing or damaged table makes the embedder unavailable', async () => {
  const damaged = join(folder, 'damaged.bin')
  writeFileSync(damaged, 'CTXDTAB1 and no more')
  const code = 'EMBEDDER_UNAVAILABLE'
  await expect(openStaticEmbedder(damaged)).rejects.toMatchObject({
    code,
    message: expect.stringContaining('header is damaged'),
  })
  await expect(openStaticEmbedder(join(folder, 'none.bin'))).rejects.toMatchObject({
    code,
    message: expect.stringContaining('ENOENT'),
  })
})

test('the bundled table stays small', () => {
  expect(statSync(own).size).toBeLessThan(6_500_000)
})
