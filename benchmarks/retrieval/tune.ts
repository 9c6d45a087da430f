import { fuse, fusionWeights } from '../../src/memory/search/fuse.ts'
import type { HybridSearch } from '../../src/memory/search/hybrid.ts'
import type { Collection } from './collections.ts'
import { qualityOf } from './quality.ts'

/** Length of the lists that are reranked. */
const maxCandidates = 100

/** MRR of the tuning half, for weights near the current ones. */
export async function tune(search: HybridSearch, { questions }: Collection): Promise<string> {
  const tuningQuestions = questions.filter(({ half }) => half === 'tuned')
  const candidates = await Promise.all(
    tuningQuestions.map(async ({ text, answer }) => ({
      answer,
      rows: (await search.find({ text, limit: maxCandidates })).rows,
    })),
  )
  const lines: string[] = []
  for (const power of [1, 1.5, 2, 2.5]) {
    for (const similarity of [0, 0.05, 0.075, 0.1, 0.125, 0.15, 0.2, 0.3]) {
      const places = candidates.map(({ answer, rows }) => {
        const ranked = fuse(rows, maxCandidates, { ...fusionWeights, power, similarity })
        const place = ranked.findIndex(({ row }) => row === answer + 1)
        return place === -1 ? Infinity : place + 1
      })
      const { mrr, hit10 } = qualityOf(places)
      lines.push(`power ${power} similarity ${similarity}: MRR ${mrr.toFixed(3)}, hit@10 ${hit10.toFixed(3)}`)
    }
  }
  return lines.join('\n')
}
