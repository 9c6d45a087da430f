import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

import { commandDocs } from '../scripts/command-docs.ts'
import { overviewPage, rulePages, ruleTable } from '../scripts/permission-docs.ts'
import { placeDocs } from '../scripts/place-docs.ts'
import { sandboxDocs } from '../scripts/sandbox-docs.ts'
import { errorCatalogue } from '../src/core/errors/errors.ts'
import { settings } from '../src/platform/config/config-schema.ts'
import { VERSION } from '@contextd/shared/version'

const read = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8')

/** Rows of the Markdown tables of a page: the first cell's code span, and the whole row. */
function rows(page: string, key: RegExp): Map<string, string> {
  const found = new Map<string, string>()
  for (const [row, name = ''] of read(page).matchAll(/^\| `([^`]+)` \|.*$/gm)) {
    if (key.test(name)) found.set(name, row)
  }
  return found
}

test('errors.md lists every error with its numbers, and no other', () => {
  const documented = rows('docs/reference/errors.md', /^[A-Z0-9_]+$/)
  expect([...documented.keys()].sort()).toEqual(Object.keys(errorCatalogue).sort())
  for (const [code, { jsonrpc, http, exit, grpc, hint }] of Object.entries(errorCatalogue)) {
    const cells = documented.get(code)?.split(' | ') ?? []
    expect(cells.slice(1, 5), code).toEqual([
      String(jsonrpc).replace('-', '−'),
      String(http),
      grpc,
      String(exit),
    ])
    expect(documented.get(code), code).toContain(hint)
  }
})

test('config.md lists every key with its default, and no other', () => {
  const documented = rows('docs/reference/config.md', /^[a-z]+\.[a-z_]+$/)
  expect([...documented.keys()].sort()).toEqual([...settings().keys()].sort())
  for (const [key, { default: value }] of settings()) {
    expect(documented.get(key), key).toContain(
      `\`${typeof value === 'string' ? `"${value}"` : JSON.stringify(value)}\``,
    )
  }
})

test('audit.md names every event that the code records', () => {
  const sources = readdirSync(fileURLToPath(new URL('../src', import.meta.url)), {
    recursive: true,
    encoding: 'utf8',
  }).filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
  const recorded = sources.flatMap((path) =>
    Array.from(
      read(`src/${path}`).matchAll(/\bevent(?:\(\s*|: )'([a-z]+(?:-[a-z]+)+)'/g),
      ([, name = '']) => name,
    ),
  )
  const documented = read('docs/reference/audit.md')
  expect(recorded).toContain('trust-given')
  expect(recorded.filter((name) => !documented.includes(`\`${name}\``))).toEqual([])
})

test('sandbox.md shows the command line, the gate and the filter of the code', () => {
  expect(read('docs/reference/sandbox.md')).toContain(sandboxDocs())
})

test('places.md lists the places that the code protects', () => {
  expect(read('docs/reference/places.md')).toContain(placeDocs())
})

test('commands.md has the help of every command', async () => {
  expect(read('docs/reference/commands.md')).toContain(await commandDocs())
})

test('every linter rule has an up-to-date page, and no other page exists', async () => {
  const pages = await rulePages()
  const folder = 'docs/reference/permissions'
  const there = readdirSync(fileURLToPath(new URL(`../${folder}`, import.meta.url)))
  expect(there.map((name) => `${folder}/${name}`).sort()).toEqual([...pages.keys()].sort())
  for (const [path, text] of pages) expect(read(path), path).toBe(text)
  expect(read(overviewPage)).toContain(ruleTable())
})

test('all packages have the same version, and depend on each other in that version', () => {
  const folders = [
    '.',
    ...readdirSync(fileURLToPath(new URL('../packages', import.meta.url)), 'utf8').map(
      (name) => `packages/${name}`,
    ),
  ]
  for (const folder of folders) {
    const { version, dependencies, devDependencies } = JSON.parse(read(`${folder}/package.json`)) as {
      version: string
      dependencies?: Record<string, string>
      devDependencies?: Record<string, string>
    }
    const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
      name.startsWith('@contextd/'),
    )
    expect([version, ...own.map(([, needed]) => needed)], folder).toEqual([
      VERSION,
      ...own.map(() => VERSION),
    ])
  }
})
