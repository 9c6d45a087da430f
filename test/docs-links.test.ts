import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = [
  ...readdirSync(root).filter((path) => path.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .map((path) => join('docs', path)),
  ...['claude-code', 'github-action', 'opencode'].map((name) => join('integrations', name, 'README.md')),
  ...['scrub', 'permissions', 'shared'].map((name) => join('packages', name, 'README.md')),
]

function linksOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')
  return [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = '']) => target)
}

test('every link between pages leads somewhere', () => {
  const broken = pages.flatMap((page) =>
    linksOf(page)
      .filter((target) => !/^[a-z]+:/.test(target) && !existsSync(join(root, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  )
  expect(broken).toEqual([])
})

/** The anchors that code hosts generate from the headings. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')
  const slugs = Array.from(text.matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
  return new Set(slugs)
}

test('every anchor in a link is a heading of its page', () => {
  const broken = pages.flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '')
    return [...text.matchAll(/\]\(([^)#\s]*\.md)?#([^)\s]+)\)/g)].flatMap(([, target, anchor = '']) => {
      const to = target === undefined ? page : join(dirname(page), target)
      return existsSync(join(root, to)) && !anchorsOf(to).has(anchor)
        ? [`${page}: ${target ?? ''}#${anchor}`]
        : []
    })
  })
  expect(broken).toEqual([])
})

/** Text in backticks. */
const codeSpans = (page: string): string[] =>
  Array.from(readFileSync(join(root, page), 'utf8').matchAll(/`([^`\n]+)`/g), ([, span = '']) => span)

const folders = [
  'bin',
  'src',
  'packages',
  'test',
  'scripts',
  'benchmarks',
  'integrations',
  'proto',
  'schema',
  'etc',
]

/** Paths in the repository. */
const inside = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => !path.includes('node_modules/')),
)
const existing = [...folders, ...inside]

test.each(['ARCHITECTURE.md', 'CONTRIBUTING.md'])('every file and folder that %s names exists', (page) => {
  // `pool.ts`, `rpc/`, `src/memory/search/<name>-embedder.ts`, `providers-*.ts`
  const ours = codeSpans(page).filter((span) =>
    /^(?![.~x]|tools\/call|bad\/|ok\/|docs\/)[\w./<>*-]+(?:\.ts|\.mjs|\/[\w.-]*)$/.test(span),
  )
  const asPattern = (span: string): RegExp =>
    new RegExp(
      `(?:^|/)${span
        .replace(/\/$/, '')
        .replaceAll('.', '\\.')
        .replace(/\*|<\w+>/g, '[^/]+')}$`,
    )
  const missing = ours.filter((span) => !existing.some((path) => asPattern(span).test(path)))
  expect(ours.length).toBeGreaterThan(20)
  expect(missing).toEqual([])
})

test('every file of the source tree that a page names exists', () => {
  // The linter rule pages show files of other projects.
  const ours = pages.filter((page) => !page.startsWith(join('docs', 'reference', 'permissions', '/')))
  const missing = ours.flatMap((page) =>
    [
      ...readFileSync(join(root, page), 'utf8').matchAll(
        /`((?:src|packages|test|scripts|benchmarks|schema|examples)\/[\w./-]+)`/g,
      ),
    ]
      .map(([, path = '']) => path)
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${page}: ${path}`),
  )
  expect(missing).toEqual([])
})
