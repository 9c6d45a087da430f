import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import { afterEach, beforeEach, expect, test } from 'vitest'

import type { FakeIo } from '@contextd/shared/testing/cli-io'
import { sampleSecrets } from '../../../test/support/registry.ts'
import { makeTempHome, type TempHome } from '../../../test/support/temp-home.ts'
import { indexCommand } from './index-repository.ts'
import { queryCommand } from './query.ts'

let home: TempHome
beforeEach(() => {
  home = makeTempHome()
  home.write('config/config.toml', '[memory]\nembedder = "off"\n')
  put('src/cart.ts', 'export function totalOf(cart) {\n  return cart.price + tax(cart)\n}\n')
  put('docs/tax.md', '# Taxes\n\nEach country has its own.\n')
})
afterEach(() => home.remove())

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home.project, path)), { recursive: true })
  writeFileSync(join(home.project, path), text)
}
const index = (...argv: string[]): Promise<FakeIo> => home.run(indexCommand, ...argv)
const query = (...argv: string[]): Promise<FakeIo> => home.run(queryCommand, ...argv)

test('indexes, searches and shows the status', async () => {
  const indexed = await index()
  expect(indexed.out()).toBe(`${home.project}: 2 files in 2 parts (2 new or changed)\n`)
  expect(indexed.code()).toBe(0)

  const answered = await query('total', 'price')
  expect(answered.out()).toBe(
    [
      'src/cart.ts:1-3 totalOf',
      '     1  export function totalOf(cart) {',
      '     2    return cart.price + tax(cart)',
      '',
    ].join('\n'),
  )
  const both = JSON.parse((await query('tax', '--json')).out()) as {
    matches: { path: string }[]
    more: boolean
  }
  expect(both.matches.map(({ path }) => path).sort()).toEqual(['docs/tax.md', 'src/cart.ts'])
  expect(both).toMatchObject({ more: false })
  expect((await query('tax', '--path', '**/*.md', '--json')).out()).not.toContain('cart.ts')
  expect((await query('zebra')).out()).toBe('No matches.\n')

  const status = JSON.parse((await index('--status', '--json')).out()) as object
  expect(status).toMatchObject({ repositories: [{ folder: home.project, files: 2, parts: 2 }] })
  expect((await index('--status')).out()).toMatch(
    /^FOLDER .*\n.*project +2 +2 +20\d\d-\d\d-\d\d \d\d:\d\d\n$/,
  )
})

test('reports only changes the second time', async () => {
  await index()
  put('src/cart.ts', 'export function changed() {}\n')
  rmSync(join(home.project, 'docs'), { recursive: true })
  expect(JSON.parse((await index('.', '--json')).out())).toMatchObject({
    folder: home.project,
    files: 1,
    parts: 1,
    indexed: 1,
    removed: 1,
    too_large: 0,
    notes: [],
  })
})

test('deletes an index', async () => {
  await index()
  expect((await index('--remove')).out()).toBe(`${home.project}: index deleted\n`)
  expect((await index('--status')).out()).toBe('Nothing is indexed.\n')
  const again = await index('--remove')
  expect(again.err()).toContain('NOT_INDEXED')
  expect(again.code()).toBe(12)
})

test('explains what to do without an index, and indexes git repositories automatically', async () => {
  const refused = await query('tax')
  expect(refused.err()).toMatch(/^NOT_INDEXED: This repository is not indexed\n/)
  expect(refused.code()).toBe(12)
  mkdirSync(join(home.project, '.git'))
  expect((await query('country')).out()).toContain('docs/tax.md:1-3 Taxes')
})

test('prints no secrets and no control characters', async () => {
  const [token = ''] = sampleSecrets(1)
  put('src/keys.ts', `export const banana = '${token}' // \u001B[31m\n`)
  await index()
  const answered = await query('banana')
  expect(answered.out()).toContain('src/keys.ts:1-1 banana')
  expect(answered.out()).toContain('[SECRET]')
  for (const text of [answered.out(), (await query('banana', '--json')).out()]) {
    expect(text).not.toContain(token)
    expect(text).not.toContain('\u001B')
  }
})

test('reports a missing folder', async () => {
  const refused = await index('nowhere')
  expect(refused.err()).toContain('There is no folder /')
  expect(refused.code()).not.toBe(0)
  expect((await query('x', '-n', '0')).err()).toContain('a whole number from 1 to 100')
})
