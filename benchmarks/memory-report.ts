/** Reports on memory and checkpoints. */

import { openStaticEmbedder } from '../src/memory/search/static-embedder.ts'
import { measureMemorySearch } from './memory-search.ts'
import { measureMemoryTokens, type TokenSaving } from './memory-tokens.ts'
import { reportRepository } from './repository.ts'

/** Number of memories, and the maximum ratio of a search to a plain query. */
const sizes = [
  [1000, 4],
  [10_000, 4],
  [100_000, 5],
] as const

export async function reportMemory(home: string, say: (line: string) => void): Promise<void> {
  say('## Memory')
  say('')
  say(
    '| memories | search by words and meaning, p50 | plain FTS5 query | ratio | target | first search | a store, to a bare insert | target | its vector | file |',
  )
  say('|---|---|---|---|---|---|---|---|---|---|')
  for (const [memories, target] of sizes) {
    const { search, store, embedding, first, bytes } = await measureMemorySearch(home, memories)
    const cells = [
      memories.toLocaleString('en'),
      `${search.ours.toFixed(2)} ms`,
      `${search.theirs.toFixed(2)} ms`,
      search.ratio.toFixed(2),
      target,
      `${first.toFixed(0)} ms`,
      store.ratio.toFixed(2),
      1.5,
      `${embedding.toFixed(2)} ms`,
      `${(bytes / 1024).toFixed(1)} KB each`,
    ]
    say(`| ${cells.join(' | ')} |`)
  }
  say('')
  const { search, restore, discovery } = await measureMemoryTokens(home)
  say('| tokens (o200k) | contextd | compared with | less | target: at least |')
  say('|---|---|---|---|---|')
  const row = (title: string, { ours, theirs, less }: TokenSaving, target: number): void =>
    say(`| ${title} | ${ours} | ${theirs.toLocaleString('en')} | ${less.toFixed(1)} % | ${target} % |`)
  row('A search answer; the same memories in full', search, 87)
  row('A checkpoint at level context; the state of a long session', restore, 96)
  row('All our tools in the list of a client; the tools of a dozen servers in it', discovery, 93)
  say('')
  await reportRepository(say, await openStaticEmbedder('assets/embedder/contextd-static.bin'))
}
