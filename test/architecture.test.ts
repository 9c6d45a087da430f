import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Import {
  /** Path of the importing file. */
  readonly from: string
  /** Path of a file, or a package name with its subpath. */
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
  // Examples in comments have imports too.
  const text = readFileSync(join(root, from), 'utf8').replace(/^ *\/\*\*[\s\S]*?\*\//gm, '')
  const found = text.matchAll(/(?:\bfrom|\bimport|\brequire|\bgetBuiltinModule)\s*\(?\s*'([^']+)'/g)
  return [...found].map(([, target = '']) =>
    target.startsWith('.')
      ? { from, to: normalize(join(dirname(from), target)), own: true }
      : { from, to: target, own: false },
  )
})

/** Files loaded on first use; they must be separate from their importers. */
const lazy = new Set(
  sources.flatMap((from) =>
    [...readFileSync(join(root, from), 'utf8').matchAll(/\bimport\(\s*'(\.[^']+)'/g)].map(([, target = '']) =>
      normalize(join(dirname(from), target)),
    ),
  ),
)

/** Resolves one of our imports to a file: a path, or a name in the exports map of a package. */
function sourceOf(to: string): string | undefined {
  const [, name = '', subpath = ''] = /^@contextd\/(\w+)(.*)$/.exec(to) ?? []
  if (name === '') return to.startsWith('src/') || to.startsWith('packages/') ? to : undefined
  if (name === 'shared') return `packages/shared/src${subpath}.ts`
  const entry = exportsOf(name)[`.${subpath}`]
  return entry === undefined ? undefined : normalize(`packages/${name}/${entry}`)
}

function exportsOf(name: string): Readonly<Record<string, string | undefined>> {
  const { exports } = JSON.parse(readFileSync(join(root, 'packages', name, 'package.json'), 'utf8')) as {
    exports: Record<string, { 'contextd-source'?: string }>
  }
  return Object.fromEntries(Object.entries(exports).map(([key, entry]) => [key, entry['contextd-source']]))
}

/**
 * `src/stages/policy/stage.ts` is in module `stages/policy`, `src/compose/` belongs to `compose.ts`, and the rest of
 * `src/` to its first folder; a file or name of `packages/scrub/` is in module `@contextd/scrub`.
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
  test('is found, with every existing module', () => {
    const modules = new Set(sources.map(moduleOf))
    const unlisted = [...modules].filter((name) => !allows(name, name))
    expect(table.size).toBeGreaterThan(10)
    expect(unlisted).toEqual([])
  })

  test('rejects forbidden imports', () => {
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

  test('packages are imported by name only, so that the exports map decides', () => {
    const bypassing = imports
      .filter(({ own, from, to }) => own && moduleOf(from) !== moduleOf(to) && to.startsWith('packages/'))
      .map(({ from, to }) => `${from} imports ${to}`)
    expect(bypassing).toEqual([])
  })
})

describe('folders', () => {
  const folders = new Map<string, Set<string>>()
  for (const { own, from, to } of imports) {
    if (!own || dirname(from) === dirname(to)) continue
    folders.set(dirname(from), (folders.get(dirname(from)) ?? new Set()).add(dirname(to)))
  }

  test('import each other in one direction only', () => {
    expect(folders.size).toBeGreaterThan(50)
    expect(cyclesIn(folders)).toEqual([])
  })

  test('in a cycle are reported', () => {
    const graph = { a: ['b', 'd'], b: ['c'], c: ['a'], d: ['c', 'e'], e: [] }
    const found = cyclesIn(new Map(Object.entries(graph).map(([from, to]) => [from, new Set(to)])))
    expect(found).toEqual(['a → b → c → a', 'a → d → c → a'])
  })
})

/** For each edge in a cycle, the shortest such cycle, without duplicates. Type imports are included. */
function cyclesIn(graph: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found = new Set<string>()
  for (const [from, targets] of graph) {
    for (const to of targets) {
      const path = shortestPath(graph, to, from)
      if (path === undefined) continue
      const first = path.indexOf([...path].sort()[0]!)
      const cycle = [...path.slice(first), ...path.slice(0, first)]
      found.add([...cycle, cycle[0]].join(' → '))
    }
  }
  return [...found].sort()
}

function shortestPath(
  graph: ReadonlyMap<string, ReadonlySet<string>>,
  from: string,
  to: string,
): string[] | undefined {
  const previous = new Map<string, string | undefined>([[from, undefined]])
  for (const node of previous.keys()) {
    if (node === to) {
      const path: string[] = []
      for (let at: string | undefined = node; at !== undefined; at = previous.get(at)) path.unshift(at)
      return path
    }
    for (const next of graph.get(node) ?? []) if (!previous.has(next)) previous.set(next, node)
  }
  return undefined
}

/** Exported names that may be defined in several files, each with the reason. */
const shared = new Map<string, string>()

test('an exported name is defined in one file', () => {
  const files = new Map<string, string[]>()
  for (const path of sources) {
    if (path.startsWith('src/servers/control/gen/')) continue
    const text = readFileSync(join(root, path), 'utf8')
    const definitions =
      /^export (?:declare )?(?:abstract )?(?:async )?(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm
    for (const [, name = ''] of text.matchAll(definitions)) {
      files.set(name, [...(files.get(name) ?? []), path])
    }
  }
  expect(files.size).toBeGreaterThan(3000)
  const repeated = [...files].filter(([name, paths]) => new Set(paths).size > 1 && !shared.has(name))
  expect(repeated.map(([name, paths]) => `${name}: ${paths.join(', ')}`)).toEqual([])
})

function importersOf(pattern: RegExp): string[] {
  return imports.filter(({ own, to }) => !own && pattern.test(to)).map(({ from }) => from)
}

test('core imports no external package, not even a Node module', () => {
  const foreign = imports.filter(({ own, to }) => !own && !to.startsWith('@contextd/'))
  expect(foreign.filter(({ from }) => moduleOf(from) === 'core')).toEqual([])
})

test('processes are started in three places only', () => {
  const allowed = /^(?:packages\/shared\/src\/process\.ts|src\/sandbox\/|src\/tools\/upstream\/)/
  const importers = importersOf(/^(?:node:)?child_process$/)
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter((from) => !allowed.test(from))).toEqual([])
})

test('the SQLite driver is imported in one place only', () => {
  const importers = importersOf(/sqlite/)
  expect(importers.length).toBeGreaterThan(0)
  expect(importers.filter((from) => !from.startsWith('src/platform/storage/'))).toEqual([])
})

describe('files', () => {
  const written = sources.filter((path) => !path.startsWith('src/servers/control/gen/'))
  const linesOf = (path: string): number => readFileSync(join(root, path), 'utf8').split('\n').length - 1

  test('are one concept each', () => {
    expect(written.filter((path) => linesOf(path) > 400)).toEqual([])
  })

  test('of a folder fit on a screen', () => {
    const counts = new Map<string, number>()
    for (const path of written) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 25)).toEqual([])
  })

  /** Every tool has a file, however small, which only the registry imports. */
  const isTool = (path: string): boolean => path.startsWith('src/tools/builtin/')
  const entryPoints = new Set(
    packages.flatMap((name) =>
      Object.values(exportsOf(name)).map((entry = '') => normalize(`packages/${name}/${entry}`)),
    ),
  )

  test('are more than a helper of one other file', () => {
    const importers = new Map<string, Set<string>>()
    for (const { from, to } of imports) {
      const path = sourceOf(to)
      if (path !== undefined) importers.set(path, (importers.get(path) ?? new Set()).add(from))
    }
    expect(importers.size).toBeGreaterThan(1000)
    const helpers = written
      .filter((path) => linesOf(path) < 25 && importers.get(path)?.size === 1)
      .filter((path) => !isTool(path) && !lazy.has(path) && !entryPoints.has(path))
    expect(helpers.map((path) => `${path}: only ${[...importers.get(path)!].join()}`)).toEqual([])
  })
})
