import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { readWholeFile } from '../src/memory/repository/file-words.ts'
import { createRepositoryIndex } from '../src/memory/repository/repository-index.ts'
import type { Embedder } from '../src/memory/search/embedder.ts'
import { createSqliteVectors } from '../src/memory/search/sqlite-vectors.ts'
import { matchExpression } from '../src/memory/search/words.ts'
import { openStore } from '../src/platform/storage/store.ts'
import { createScrubber } from '@contextd/scrub/internal/engine'
import { compare, median, type Comparison } from './support/statistics.ts'

export interface RepositoryNumbers {
  readonly files: number
  readonly megabytes: number
  /** Files per second during the first indexing. */
  readonly filesPerSecond: number
  readonly parts: number
  /** Growth of the store in bytes, per byte of the files. */
  readonly growth: number
  /** Files opened by the second indexing, when nothing had changed. */
  readonly openedAgain: number
  /** Milliseconds of the second indexing, and of a bare stat of every file. */
  readonly again: number
  readonly bareLook: number
  /** A query, compared with a plain FTS5 query for the same words. */
  readonly question: Comparison
}

/** Indexes a generated repository twice and queries it. */
export async function measureRepository(files: number, embedder?: Embedder): Promise<RepositoryNumbers> {
  const home = mkdtempSync(join(tmpdir(), 'contextd-bench-repository-'))
  const folder = join(home, 'repository')
  const bytes = makeRepository(folder, files)
  const store = openStore(join(home, 'state', 'contextd.db'))
  const { scrub } = createScrubber()
  let opened = 0
  const tenant = 'local'
  const index = createRepositoryIndex({
    store,
    tenant,
    clock: () => Date.now() + 1000,
    secretsIn: (text) => scrub(text, { tenant, session: 'bench' }).findings,
    mayIndex: () => true,
    maxFileBytes: 1_048_576,
    readFile(path, most) {
      opened++
      return readWholeFile(path, most)
    },
    ...(embedder !== undefined && {
      embedder,
      vectors: createSqliteVectors({ store, tenant, kind: 'chunk' }),
    }),
  })
  const first = await timed(() => index.index(folder))
  const grown = statSync(store.path).size
  opened = 0
  const indexTimes: number[] = []
  const bare: number[] = []
  for (let round = 0; round < 5; round++) {
    bare.push(await timed(async () => statAll(folder)))
    indexTimes.push(await timed(() => index.update(folder)))
  }
  const view = {
    workspace: folder,
    mayRead: () => true,
    read: async (path: string) => readWholeFile(path, Infinity),
  }
  const plain = store.prepare('SELECT rowid FROM chunk_words WHERE chunk_words MATCH ? ORDER BY rank LIMIT 5')
  const questions: { ours: number; theirs: number }[] = []
  for (let at = 0; at < 60; at++) {
    const text = `where is the ${words[at % words.length]} of the ${words[(at * 7) % words.length]} computed`
    const theirs = await timed(async () => plain.all(matchExpression(text)!))
    questions.push({ theirs, ours: await timed(() => index.find({ text, limit: 5, view })) })
  }
  const parts = index.status(folder)?.chunks ?? 0
  store.close()
  rmSync(home, { recursive: true })
  return {
    files,
    megabytes: bytes / 1e6,
    filesPerSecond: files / (first / 1000),
    parts,
    growth: grown / bytes,
    openedAgain: opened,
    again: median(indexTimes),
    bareLook: median(bare),
    question: compare(questions),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** Lists every folder and stats every file: the minimum for any tool without change notifications. */
function statAll(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) statAll(path)
    else statSync(path)
  }
}

const words =
  'account balance cart channel cursor customer delivery discount event filter gateway header invoice journal ledger message order packet payment price queue quota record request retry route schema session shipment stock tariff tenant ticket token transfer user voucher worker'.split(
    ' ',
  )

/** Writes the files and returns their size in bytes. */
function makeRepository(folder: string, files: number): number {
  let bytes = 0
  let seed = 7
  const pick = (): string => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return words[(seed >> 8) % words.length]!
  }
  const capital = (word: string): string => word[0]!.toUpperCase() + word.slice(1)
  for (let at = 0; at < files; at++) {
    const declarations = Array.from({ length: 4 }, () => {
      const [one, two, three] = [pick(), pick(), pick()]
      return `/** The ${one} of a ${two}, after every ${three}. */
export function ${one}Of${capital(two)}(${two}: ${capital(two)}, ${three}s: readonly ${capital(three)}[]): number {
  let ${one} = ${two}.${one} ?? 0
  for (const ${three} of ${three}s) {
    if (${three}.isClosed) continue
    ${one} += ${three}.${one} * ${(at % 9) + 1}
  }
  return Math.max(${one}, 0)
}
`
    })
    const text = `import { ${capital(pick())} } from '../${pick()}.ts'\n\n${declarations.join('\n')}`
    const path = join(folder, pick(), pick(), `${pick()}-${at}.ts`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    bytes += text.length
  }
  return bytes
}

/** The lines of the report. */
export async function reportRepository(say: (line: string) => void, embedder?: Embedder): Promise<void> {
  const numbers = await measureRepository(10_000, embedder)
  const { files, megabytes, filesPerSecond, parts, growth, openedAgain, again, bareLook, question } = numbers
  say('## Repository search')
  say('')
  say('| what | measured | target |')
  say('|---|---|---|')
  say(
    `| First index of ${files.toLocaleString('en')} files (${megabytes.toFixed(0)} MB, ${parts.toLocaleString('en')} parts) | ${filesPerSecond.toFixed(0)} files/s | – |`,
  )
  say(`| Store, times the size of the files | ${growth.toFixed(2)} | – |`)
  say(`| Files opened to index it again, unchanged | ${openedAgain} | 0 |`)
  say(
    `| Indexing again, compared with a bare stat of every file | ${again.toFixed(0)} ms, ${bareLook.toFixed(0)} ms: ${(again / bareLook).toFixed(1)} × | – |`,
  )
  say(
    `| A query, p50, compared with a plain FTS5 query for its words | ${question.ours.toFixed(1)} ms, ${question.theirs.toFixed(1)} ms: ${question.ratio.toFixed(1)} × | – |`,
  )
  say('')
}
