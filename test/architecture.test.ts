import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  /** Path of the importing file. */
  readonly from: string
  /** Path of a file, or the name of a package and what follows it. */
  readonly to: string
  readonly own: boolean
}

const packages = readdirSync(join(root, 'packages'))
const sources = ['src', ...packages.map((name) => `packages/${name}/src`)]
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|samples)\.ts$/.test(path))

const imports: Import[] = sources.flatMap((from) => {
  const text = readFileSync(join(root, from), 'utf8')
  const found = text.matchAll(/(?:\bfrom|\bimport|\brequire|\bgetBuiltinModule)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, target = '']) =>
    target.startsWith('.')
      ? { from, to: normalize(join(dirname(from), target)), own: true }
      : { from, to: target, own: false },
  )
})

/**
 * `src/stages/policy/stage.ts` is of module `stages/policy`, `src/compose/` belongs to `compose.ts`, the rest of `src/`
 * to its first folder; a file or name of `packages/scrub/` is of module `@contextd/scrub`.
 */
function moduleOf(path: string): string {
  const [top = '', first = '', second = ''] = path.split('/')
  if (top === 'packages' || top === '@contextd') return `@contextd/${first}`
  if (first === 'compose') return 'compose.ts'
  return first === 'stages' ? `stages/${second}` : first
}

/** The table of ARCHITECTURE.md. */
const table = new Map(
  [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| ([\w./*@]+) \| ([\w ,./@]+) \|$/gm)]
    .filter(([, name]) => name !== 'module')
    .map(([, name = '', allowed = '']) => [name, allowed]),
)

function allows(from: string, to: string): boolean {
  const rule = table.get(from) ?? (from.startsWith('stages/') ? table.get('stages/*') : undefined)
  if (rule === undefined) return false
  if (from === to) return true
  const butFor = /^anything but (.+)$/.exec(rule)?.[1]
  const names = (butFor ?? rule).split(', ')
  const named = names.includes(to) || (to.startsWith('stages/') && names.includes('stages'))
  return butFor === undefined ? named : !named
}

describe('the import table', () => {
  test('was found, with every module that exists', () => {
    const modules = new Set(sources.map(moduleOf))
    const unlisted = [...modules].filter((name) => !allows(name, name))
    expect(table.size).toBeGreaterThan(10)
    expect(unlisted).toEqual([])
  })

  test('notices what it forbids', () => {
    expect(allows('core', 'platform')).toBe(false)
    expect(allows('stages/policy', 'stages/audit')).toBe(false)
    expect(allows('stages/policy', 'tools')).toBe(false)
    expect(allows('stages/dispatch', 'tools')).toBe(true)
    expect(allows('servers', 'cli')).toBe(false)
    expect(allows('compose.ts', 'stages/audit')).toBe(true)
    expect(allows('cli', 'stages/audit')).toBe(true)
    expect(allows('cli', 'sandbox')).toBe(false)
    expect(allows('cli', 'pipeline.ts')).toBe(false)
    expect(allows('@contextd/scrub', '@contextd/permissions')).toBe(false)
    expect(allows('@contextd/scrub', 'core')).toBe(false)
  })

  test('holds for every import', () => {
    const crossings = imports
      .filter(({ own, to }) => own || to.startsWith('@contextd/'))
      .filter(({ from, to }) => !allows(moduleOf(from), moduleOf(to)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(crossings).toEqual([])
  })

  test('knows packages by their names only, so that the exports map decides', () => {
    const around = imports
      .filter(({ own, from, to }) => own && moduleOf(from) !== moduleOf(to) && to.startsWith('packages/'))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(around).toEqual([])
  })
})

function importersOf(pattern: RegExp): string[] {
  return imports.filter(({ own, to }) => !own && pattern.test(to)).map(({ from }) => from)
}

test('core needs no package but ours, not even a part of Node', () => {
  const foreign = imports.filter(({ own, to }) => !own && !to.startsWith('@contextd/'))
  expect(foreign.filter(({ from }) => moduleOf(from) === 'core')).toEqual([])
})

test('processes are started in three places only', () => {
  const allowed = /^(?:packages\/shared\/src\/process\.ts|src\/sandbox\/|src\/tools\/upstream\/)/
  const importers = importersOf(/^(?:node:)?child_process$/)
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter((from) => !allowed.test(from))).toEqual([])
})

test('the SQLite driver is known in one place only', () => {
  const importers = importersOf(/sqlite/)
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter((from) => !from.startsWith('src/platform/storage/'))).toEqual([])
})

test('files are one concept each', () => {
  const long = sources
    .filter((path) => !path.startsWith('src/servers/control/gen/'))
    .filter((path) => readFileSync(join(root, path), 'utf8').split('\n').length > 400)
  expect(long).toEqual([])
})
