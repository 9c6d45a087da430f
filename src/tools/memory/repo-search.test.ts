import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { fileSpace, type FileSpace } from '../../../test/support/file-space.ts'
import { temporaryStore } from '../../../test/support/audit.ts'
import { secretsIn } from '../../../test/support/repository.ts'
import { issuesIn, runTool } from '../../../test/support/run-tool.ts'
import type { JsonObject } from '@contextd/shared/json/value'
import type { ToolHost } from '../../core/ports.ts'
import type { Tool } from '../../core/tool.ts'
import { createIndexRefresher } from '../../memory/repository/index-refresher.ts'
import { createRepositoryIndex, type RepositoryIndex } from '../../memory/repository/repository-index.ts'
import { estimateTokens } from '../../stages/budget/estimate.ts'
import { repoSearch } from './repo-search.ts'

interface Space extends FileSpace {
  readonly index: RepositoryIndex
  readonly tool: Tool
  /** Lets so much time pass. */
  wait(ms: number): void
  search(args: JsonObject, ...grants: string[]): Promise<JsonObject | string>
}

function searchSpace(files: Record<string, string>): Space {
  const space = fileSpace()
  for (const [path, text] of Object.entries(files)) space.put(path, text)
  let ahead = 1000
  const clock = (): number => Date.now() + ahead
  const index = createRepositoryIndex({
    store: temporaryStore(),
    tenant: 'local',
    clock,
    secretsIn,
    mayIndex: () => true,
    maxFileBytes: 100_000,
  })
  const current = createIndexRefresher(index, clock)
  const tool = repoSearch(async () => ({ index, current, files: space.files, count: estimateTokens }))
  return {
    ...space,
    index,
    tool,
    wait: (ms) => void (ahead += ms),
    search: (args, ...grants) => space.run(tool, args, { grants, call: { deadline: clock() + 600_000 } }),
  }
}

const found = (answer: JsonObject | string): string[] =>
  ((answer as JsonObject).matches as { path: string }[]).map(({ path }) => path)

test('answers paths, lines and the lines that match', async () => {
  const { search } = searchSpace({
    '.git/HEAD': 'ref',
    'src/cart.ts': `import { tax } from './tax.ts'\n\n/** What the customer pays. */\nexport function totalOf(cart: Cart): number {\n  let total = 0\n  for (const item of cart.items) total += item.price\n  return total + tax(total)\n}\n`,
  })
  expect(await search({ query: 'how is the total price of a cart computed' })).toEqual({
    matches: [
      {
        path: 'src/cart.ts',
        lines: '1-8',
        name: 'totalOf',
        text: [
          '4: export function totalOf(cart: Cart): number {',
          '5:   let total = 0',
          '6:   for (const item of cart.items) total += item.price',
          '7:   return total + tax(total)',
        ].join('\n'),
      },
    ],
  })
})

test('a first question indexes a small repository, and nothing else', async () => {
  const space = searchSpace({ 'a.txt': 'walnut' })
  expect(await space.search({ query: 'walnut' })).toBe('NOT_INDEXED')
  expect(space.index.folders()).toEqual([])
  mkdirSync(join(space.workspace, '.git'))
  expect(found(await space.search({ query: 'walnut' }))).toEqual(['a.txt'])
  const large = createIndexRefresher(space.index, Date.now, () => false)
  await space.index.remove(space.workspace)
  const asking = { deadline: Date.now() + 60_000, signal: new AbortController().signal, onProgress: () => {} }
  await large.refresh(space.workspace, asking)
  expect(space.index.folders()).toEqual([])
})

test('catches up with what is new, not with every question', async () => {
  const { search, put, index, workspace, wait } = searchSpace({ '.git/HEAD': 'ref', 'a.txt': 'walnut' })
  await index.index(workspace)
  expect(found(await search({ query: 'walnut' }))).toEqual(['a.txt'])
  put('b.txt', 'walnut')
  expect(found(await search({ query: 'walnut' }))).toEqual(['a.txt'])
  wait(60_000)
  expect(found(await search({ query: 'walnut' }))).toEqual(['a.txt', 'b.txt'])
})

test('an agent sees only what its grants let it read', async () => {
  const { search, put } = searchSpace({
    '.git/HEAD': 'ref',
    'open/a.txt': 'hazel',
    'closed/b.txt': 'hazel hazel',
    'closed/c.txt': 'hazel chestnut',
  })
  const onlyOpen = 'fs:read:open/**'
  expect(found(await search({ query: 'hazel' }, 'fs:read:**'))).toHaveLength(3)
  const answer = await search({ query: 'hazel' }, onlyOpen)
  expect(answer).toMatchObject({ matches: [{ path: 'open/a.txt' }] })
  expect(JSON.stringify(answer)).not.toContain('more')
  // As if it were not there: also when it has changed, or is what the question is about.
  const nothing = { matches: [], note: 'No file that you may read matches.' }
  expect(await search({ query: 'chestnut' }, onlyOpen)).toEqual(nothing)
  put('closed/c.txt', 'chestnut two')
  expect(await search({ query: 'chestnut' }, onlyOpen)).toEqual(nothing)
  expect(await search({ query: 'pecan' }, onlyOpen)).toEqual(nothing)
  expect(await search({ query: 'hazel', path: 'closed/b.txt' }, onlyOpen)).toEqual(nothing)
})

test('a file that has become a link to elsewhere is not followed', async () => {
  const { search, workspace, outside, index } = searchSpace({ '.git/HEAD': 'ref', 'a.txt': 'almond' })
  await index.index(workspace)
  writeFileSync(join(outside, 'a.txt'), 'almond outside')
  expect(found(await search({ query: 'almond' }, 'fs:read:**'))).toEqual(['a.txt'])
  rmSync(join(workspace, 'a.txt'))
  symlinkSync(join(outside, 'a.txt'), join(workspace, 'a.txt'))
  expect(found(await search({ query: 'almond' }, 'fs:read:**'))).toEqual([])
})

test('asks within a folder or a pattern', async () => {
  const { search } = searchSpace({
    '.git/HEAD': 'ref',
    'src/a.ts': 'pistachio',
    'src/deep/b.ts': 'pistachio',
    'docs/c.md': 'pistachio',
  })
  const within = async (path: string): Promise<string[]> =>
    found(await search({ query: 'pistachio', path })).sort()
  expect(await within('src')).toEqual(['src/a.ts', 'src/deep/b.ts'])
  expect(await within('**/*.md')).toEqual(['docs/c.md'])
  expect(await within('src/a.ts')).toEqual(['src/a.ts'])
  expect(await within('../elsewhere')).toEqual([])
  expect(await within('**/../src')).toEqual([])
})

test('stays under 500 tokens, whatever it finds', async () => {
  const line = (at: number): string =>
    `const macadamia${at} = compute(macadamia, "${'äöü€ '.repeat(30)}", ${at})\n`
  const text = Array.from({ length: 40 }, (_, at) => line(at)).join('')
  const { search } = searchSpace({
    '.git/HEAD': 'ref',
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`${'folder/'.repeat(8)}file${at}.ts`, text]),
    ),
  })
  for (const limit of [1, 5, 20, 1000, -4]) {
    const answer = (await search({ query: 'macadamia', limit })) as JsonObject
    expect(estimateTokens(JSON.stringify(answer))).toBeLessThan(500)
    expect(found(answer).length).toBeGreaterThan(0)
    expect(answer.more).toBe(true)
  }
})

test('refuses what is no question', () => {
  const { tool } = searchSpace({})
  expect(issuesIn(tool, { query: 'x' })).toEqual([])
  for (const args of [
    {},
    { query: '' },
    { query: ' \n' },
    { query: 'x'.repeat(2001) },
    { query: 'x', path: '' },
  ]) {
    expect(issuesIn(tool, args)).toHaveLength(1)
  }
})

test('any question is harmless', async () => {
  const { search } = searchSpace({ '.git/HEAD': 'ref', 'a.txt': 'cashew' })
  for (const query of [
    '"',
    "'; DROP TABLE chunks --",
    'NEAR(a b)',
    'a* OR -b:c^2',
    '\0',
    '((',
    '日本語',
    '🥜',
  ]) {
    expect(await search({ query })).toMatchObject({ matches: [] })
  }
  expect(found(await search({ query: '"cashew" AND )(' }))).toEqual(['a.txt'])
})

test('how far it got says nothing of how many files there are', async () => {
  const progressIn = async (count: number): Promise<unknown[]> => {
    const files = Object.fromEntries(Array.from({ length: count }, (_, n) => [`closed/${n}.txt`, 'heron']))
    const { tool, call } = searchSpace({ '.git/HEAD': 'ref', 'src/a.txt': 'walnut', ...files })
    const said: unknown[] = []
    const host = {
      call: call({ deadline: Date.now() + 600_000 }, 'fs:read:src/**'),
      progress: (one: unknown) => void said.push(one),
    }
    await runTool(tool, { query: 'walnut' }, host as unknown as ToolHost)
    return said
  }
  const said = await progressIn(150)
  expect(said).toHaveLength(10)
  expect(await progressIn(180)).toEqual(said)
})

test('a model sees places, and the lines below them', () => {
  const { renderText } = repoSearch(() => Promise.reject(new Error('not opened')))
  const matches = [
    { path: 'src/a.ts', lines: '3-9', name: 'parse', text: '4: said = "\\n"' },
    { path: 'b.md', lines: '1-2' },
  ]
  expect(renderText?.({ matches, more: true, notes: ['b.ts was too large'] })).toBe(
    'src/a.ts:3-9 parse\n4: said = "\\n"\nb.md:1-2\n[there are more]\n[b.ts was too large]',
  )
  expect(renderText?.({ matches: [], note: 'No file that you may read matches.' })).toBe(
    '[No file that you may read matches.]',
  )
})
