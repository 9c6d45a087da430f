import { textToEmbed, memoryWordsOf } from '../../src/memory/bank/memory-row.ts'
import type { Embedder } from '../../src/memory/search/embedder.ts'
import { createHybridSearch, type HybridSearch } from '../../src/memory/search/hybrid.ts'
import { createSqliteVectors } from '../../src/memory/search/sqlite-vectors.ts'
import { matchMemories, putMemoryWords } from '../../src/platform/storage/memory-words.ts'
import type { Store } from '../../src/platform/storage/store.ts'
import type { Collection } from './collections.ts'

export interface Searches {
  readonly lexical: HybridSearch
  readonly semantic: HybridSearch
  readonly fused: HybridSearch
}

const tenant = 'local'
const owner = { tenant, project: '/bench', session: 'bench', agent: 'bench' }

/** Fills an empty store with a collection, like the bank: the first text is row 1. Returns three search methods. */
export async function fill(store: Store, { texts }: Collection, embedder: Embedder): Promise<Searches> {
  const vectors = createSqliteVectors({ store, tenant, kind: 'memory' })
  const rows = texts.map((text) => ({ ...text, task: '', tags: '[]' }))
  const embeddings = await embedder.embed(rows.map(textToEmbed), { as: 'document' })
  store.transaction(() => {
    rows.forEach((text, i) => {
      store.rows('memories', owner).insert({
        ...text,
        id: `mem_${i}`,
        scope: 'project',
        outcome: 'success',
        sources: '[]',
        helped: 4,
        misled: 1,
        created_at: 0,
        changed_at: 0,
      })
      putMemoryWords(store, i + 1, memoryWordsOf(text))
    })
    vectors.put(
      embeddings.map((vector, i) => ({ row: i + 1, project: owner.project, vector })),
      embedder.model,
    )
  })
  const lexical: Parameters<typeof createHybridSearch>[0]['lexical'] = (expression, options) =>
    matchMemories(store, { tenant, expression, ...options })
  return {
    lexical: createHybridSearch({ lexical }),
    semantic: createHybridSearch({ lexical: () => ({ hits: [], attainable: 1 }), embedder, vectors }),
    fused: createHybridSearch({ lexical, embedder, vectors }),
  }
}
