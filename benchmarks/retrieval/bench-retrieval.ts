// npm run bench:retrieval [-- --data FOLDER] [--tune]: how often the right text is found, by words, by meaning and by
// both.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openStaticEmbedder } from '../../src/memory/search/static-embedder.ts'
import { openStore } from '../../src/platform/storage/store.ts'
import { readCosqa, readParaphrases, type Collection, type Half } from './collections.ts'
import { measureQuality, type Quality } from './quality.ts'
import { fill, type Searches } from './searches.ts'
import { tune } from './tune.ts'

const args = process.argv.slice(2)
const dataAt = args.indexOf('--data')
const data =
  (dataAt === -1 ? undefined : args[dataAt + 1]) ?? process.env.CONTEXTD_COSQA ?? '../shared/data/cosqa'

const embedder = await openStaticEmbedder('assets/embedder/contextd-static.bin')
const collections = [readCosqa(data), readParaphrases('benchmarks/retrieval/paraphrases.jsonl')].filter(
  (collection) => collection !== undefined,
)

if (args.includes('--tune')) {
  for (const collection of collections) {
    await withSearches(collection, async ({ fused }) => {
      process.stdout.write(`${collection.name}\n${await tune(fused, collection)}\n`)
    })
  }
} else {
  const report = [
    '# Finding again, measured',
    '',
    `Node ${process.versions.node}, embedder ${embedder.model} with ${embedder.dimension} dimensions. Written by \`npm run bench:retrieval\`.`,
    '',
    'Words: BM25 of SQLite FTS5 as `memory_search` uses it without an embedder. Meaning: cosine of the embedded vectors alone.',
    'Fused: what `memory_search` answers. Weights were chosen on one half of the questions (first byte of their SHA-256 even);',
    'the other half was held out. One text is right for each question; MRR counts the first 50 places.',
  ]
  for (const collection of collections) report.push('', ...(await section(collection)))
  if (collections.length < 2) report.push('', `CoSQA was not measured: it is not in ${data}.`)
  const text = `${report.join('\n')}\n`
  process.stdout.write(text)
  // A partial result must not replace a complete one.
  if (collections.length > 1) writeFileSync('benchmarks/retrieval/results.md', text)
}

async function section(collection: Collection): Promise<string[]> {
  const { name, texts, questions } = collection
  const lines = [
    `## ${name}`,
    '',
    `${questions.length} questions, ${texts.length.toLocaleString('en')} texts.`,
    '',
    '| half | search | hit@1 | hit@5 | hit@10 | MRR | NDCG@10 |',
    '|---|---|---|---|---|---|---|',
  ]
  await withSearches(collection, async (searches) => {
    for (const half of ['held out', 'tuned'] satisfies Half[]) {
      const questionsOfHalf = questions.filter((question) => question.half === half)
      for (const [title, search] of [
        ['words', searches.lexical],
        ['meaning', searches.semantic],
        ['fused', searches.fused],
      ] as const) {
        lines.push(row([half, title], await measureQuality(search, questionsOfHalf)))
      }
    }
  })
  return lines
}

function row(names: readonly string[], { hit1, hit5, hit10, mrr, ndcg10 }: Quality): string {
  const percents = [hit1, hit5, hit10].map((share) => `${(share * 100).toFixed(1)} %`)
  const means = [mrr, ndcg10].map((mean) => mean.toFixed(3).replace(/^0/, ''))
  return `| ${[...names, ...percents, ...means].join(' | ')} |`
}

async function withSearches(
  collection: Collection,
  work: (searches: Searches) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'contextd-retrieval-'))
  const store = openStore(join(folder, 'contextd.db'))
  try {
    await work(await fill(store, collection, embedder))
  } finally {
    store.close()
    rmSync(folder, { recursive: true })
  }
}
