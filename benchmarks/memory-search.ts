import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { createBank, type Bank } from '../src/memory/bank/bank.ts'
import type { NewMemory } from '../src/memory/bank/memory.ts'
import type { MemoryUser } from '../src/memory/memory-access.ts'
import type { Embedder } from '../src/memory/search/embedder.ts'
import { createSqliteVectors } from '../src/memory/search/sqlite-vectors.ts'
import { openStaticEmbedder } from '../src/memory/search/static-embedder.ts'
import type { VectorIndex } from '../src/memory/search/vector-index.ts'
import { matchExpression } from '../src/memory/search/words.ts'
import { openStore, type Store } from '../src/platform/storage/store.ts'
import { readParaphrases, type Collection } from './retrieval/collections.ts'
import { fill } from './retrieval/searches.ts'
import { compare, median, type Comparison } from './support/statistics.ts'

const tenant = 'local'
const same = (text: string): string => text
const user: MemoryUser = {
  reach: {
    tenant,
    project: '/bench',
    session: 'bench',
    agent: 'bench',
    read: ['project'],
    write: ['project'],
  },
  archiver: { archive: same, recall: same },
}
const paraphrases = readParaphrases('benchmarks/retrieval/paraphrases.jsonl')
const questions = paraphrases.questions.map(({ text }) => text)

export interface SearchSpeed {
  readonly memories: number
  /** A search by words and meaning, compared with a plain query of the same FTS5 table. */
  readonly search: Comparison
  /** Storing a memory with a precomputed vector, compared with a bare insert of the same rows. */
  readonly store: Comparison
  /** Computing that vector, in milliseconds. */
  readonly embedding: number
  /** Milliseconds of the first search, which reads all vectors. */
  readonly first: number
  /** File size per memory. */
  readonly bytes: number
}

interface Pair {
  readonly ours: number
  readonly theirs: number
}

export async function measureMemorySearch(home: string, memories: number): Promise<SearchSpeed> {
  const folder = mkdtempSync(join(home, 'memory-search-'))
  const store = openStore(join(folder, 'contextd.db'))
  try {
    const embedder = await openStaticEmbedder('assets/embedder/contextd-static.bin')
    await fill(store, generateMemories(memories), embedder)
    const vectors = createSqliteVectors({ store, tenant, kind: 'memory' })
    const bank = createBank({ store, tenant, clock: Date.now, embedder, vectors })
    const pages = Number(store.prepare('PRAGMA page_count').get()?.page_count)
    const first = await timed(() => bank.search(user, { text: questions[0]! }))
    const search = await measureSearch(store, bank)
    return {
      memories,
      first,
      search,
      store: await measureStore(store, vectors),
      embedding: await measureEmbedding(embedder),
      bytes: (pages * 4096) / memories,
    }
  } finally {
    store.close()
    rmSync(folder, { recursive: true })
  }
}

async function measureSearch(store: Store, bank: Bank): Promise<Comparison> {
  const plain = store.prepare(
    'SELECT rowid FROM memory_words WHERE memory_words MATCH ? ORDER BY rank LIMIT 5',
  )
  const round = async (): Promise<Pair[]> => {
    const pairs: Pair[] = []
    for (const text of questions) {
      const expression = matchExpression(text)!
      const ours = await timed(() => bank.search(user, { text }))
      pairs.push({ ours, theirs: await timed(() => plain.all(expression)) })
    }
    return pairs
  }
  await round()
  return compare([...(await round()), ...(await round())])
}

async function measureEmbedding(embedder: Embedder): Promise<number> {
  const times: number[] = []
  for (const { title, description, content } of generateMemories(400, 9).texts) {
    const text = [title, description, content].join('\n')
    times.push(await timed(() => embedder.embed([text], { as: 'document' })))
  }
  return median(times.slice(100))
}

async function measureStore(store: Store, vectors: VectorIndex): Promise<Comparison> {
  const made = Float32Array.from({ length: 256 }, () => 1 / 16)
  const embedder: Embedder = {
    model: 'made before',
    dimension: 256,
    embed: async (texts) => texts.map(() => made),
  }
  const bank = createBank({ store, tenant, clock: Date.now, embedder, vectors })
  const bare = bareInsert(store)
  const pairs: Pair[] = []
  for (const { title, description, content } of generateMemories(800, 7).texts) {
    const memory: NewMemory = { title, description, content, outcome: 'success' }
    const ours = await timed(() => bank.store(user, memory))
    pairs.push({ ours, theirs: await timed(() => bare(memory)) })
  }
  return compare(pairs.slice(200))
}

/** Writes the same rows as `bank.store`, without checks. */
function bareInsert(store: Store): (memory: NewMemory) => void {
  const memories = store.prepare(
    `INSERT INTO memories (tenant, project, session, agent, id, scope, title, description, content, outcome, task, tags,
       sources, helped, misled, created_at, changed_at, vector_model, vector_dimension)
     VALUES ('local', '/bench', 'bench', 'bench', ?, 'project', ?, ?, ?, 'success', '', '[]', '[]', 4, 1, 0, 0, 'bare', 256)
     RETURNING seq`,
  )
  const words = store.prepare(
    "INSERT INTO memory_words (rowid, title, description, task, tags, content) VALUES (?, ?, ?, '', '', ?)",
  )
  const vectors = store.prepare(
    `INSERT INTO vectors (tenant, project, session, agent, kind, row, model, vector, changed)
     VALUES ('local', '/bench', '', '', 'bare', ?, 'bare', ?, 0)`,
  )
  const vector = new Uint8Array(260).fill(7)
  let count = 0
  return ({ title, description, content }) =>
    store.transaction(() => {
      const seq = Number(memories.get(`bare_${count++}`, title, description, content)?.seq)
      words.run(seq, title, description, content)
      vectors.run(seq, vector)
    })
}

async function timed(work: () => unknown): Promise<number> {
  const before = performance.now()
  await work()
  return performance.now() - before
}

/** Memories with the word frequencies of real ones, each with a rare name. */
function generateMemories(count: number, seed = 1): Collection {
  const words = paraphrases.texts.flatMap(({ title, description, content }) =>
    `${title} ${description} ${content}`.split(/\s+/),
  )
  let state = seed
  const random = (below: number): number => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  const text = (minWords: number, maxWords: number): string =>
    Array.from({ length: minWords + random(maxWords - minWords) }, () => words[random(words.length)]).join(
      ' ',
    )
  const texts = Array.from({ length: count }, () => ({
    title: `${text(5, 9)} handle${random(count)}Of${random(50)}`,
    description: text(12, 25),
    content: text(25, 80),
  }))
  return { name: 'made up', texts, questions: [] }
}
