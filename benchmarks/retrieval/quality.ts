import type { HybridSearch } from '../../src/memory/search/hybrid.ts'
import type { Question } from './collections.ts'

/** Each between 0 and 1. With one right text per question, NDCG depends only on its rank. */
export interface Quality {
  readonly hit1: number
  readonly hit5: number
  readonly hit10: number
  readonly mrr: number
  readonly ndcg10: number
}

/** Cut-off rank: right answers beyond it are treated as not found. */
const maxRank = 50

export async function measureQuality(search: HybridSearch, questions: readonly Question[]): Promise<Quality> {
  const ranks: number[] = []
  for (const { text, answer } of questions) {
    const { rows } = await search.find({ text, limit: maxRank })
    const rank = rows.findIndex(({ row }) => row === answer + 1)
    ranks.push(rank === -1 ? Infinity : rank + 1)
  }
  return qualityOf(ranks)
}

/** From the ranks, starting at 1, of the right answers. */
export function qualityOf(ranks: readonly number[]): Quality {
  const mean = (score: (rank: number) => number): number =>
    ranks.reduce((sum, rank) => sum + score(rank), 0) / Math.max(ranks.length, 1)
  return {
    hit1: mean((rank) => Number(rank <= 1)),
    hit5: mean((rank) => Number(rank <= 5)),
    hit10: mean((rank) => Number(rank <= 10)),
    mrr: mean((rank) => 1 / rank),
    ndcg10: mean((rank) => (rank <= 10 ? 1 / Math.log2(rank + 1) : 0)),
  }
}
