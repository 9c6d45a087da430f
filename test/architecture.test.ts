import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  /** Path of the importing file below src/. */
  readonly from: string
  /** Path below src/, or the name of a package. */
  readonly to: string
  readonly own: boolean
}

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts') && !/\.(?:test|samples)\.ts$/.test(path))

const imports: Import[] = sources.flatMap((from) => {
  const text = readFileSync(join(root, 'src', from), 'utf8')
  const found = text.matchAll(/(?:\bfrom|\bimport|\brequire|\bgetBuiltinModule)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, target = '']) =>
    target.startsWith('.')
      ? { from, to: normalize(join(dirname(from), target)), own: true }
      : { from, to: target, own: false },
  )
})

/** `stages/policy/stage.ts` is of module `stages/policy`, `compose/` belongs to `compose.ts`, all else to its first folder. */
function moduleOf(path: string): string {
  const [first = '', second = ''] = path.split('/')
  if (first === 'compose') return 'compose.ts'
  return first === 'stages' ? `stages/${second}` : first
}

/** The table of ARCHITECTURE.md. */
const table = new Map(
  [...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/^\| ([\w./*]+) \| ([\w ,./]+) \|$/gm)]
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
  })

  test('holds for every import', () => {
    const crossings = imports
      .filter(({ own, from, to }) => own && !allows(moduleOf(from), moduleOf(to)))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(crossings).toEqual([])
  })
})

function importersOf(pattern: RegExp): string[] {
  return imports.filter(({ own, to }) => !own && pattern.test(to)).map(({ from }) => from)
}

test('core needs no package, not even a part of Node', () => {
  expect(imports.filter(({ own, from }) => !own && moduleOf(from) === 'core')).toEqual([])
})

test('processes are started in three places only', () => {
  const allowed = /^(?:platform\/process\.ts|sandbox\/|tools\/upstream\/)/
  const importers = importersOf(/^(?:node:)?child_process$/)
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter((from) => !allowed.test(from))).toEqual([])
})

test('the SQLite driver is known in one place only', () => {
  const importers = importersOf(/sqlite/)
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter((from) => !from.startsWith('platform/storage/'))).toEqual([])
})

test('files are one concept each', () => {
  const long = sources
    .filter((path) => !path.startsWith('servers/control/gen/'))
    .filter((path) => readFileSync(join(root, 'src', path), 'utf8').split('\n').length > 400)
  expect(long).toEqual([])
})
