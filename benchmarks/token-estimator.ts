// node scripts/run-ts.mjs benchmarks/token-estimator.ts: how far our token estimate is from o200k, and how fast it is.
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

import { estimateTokens } from '../src/stages/budget/estimate.ts'
import { tokenSamples } from './support/token-samples.ts'

const percent = (share: number): string => `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`

function megabytesPerSecond(samples: readonly string[]): number {
  const bytes = samples.reduce((sum, sample) => sum + Buffer.byteLength(sample), 0)
  const rounds = Math.ceil(20_000_000 / bytes)
  const before = performance.now()
  for (let round = 0; round < rounds; round += 1) for (const sample of samples) estimateTokens(sample)
  return (bytes * rounds) / 1000 / (performance.now() - before)
}

process.stdout.write('| text | mean error | lowest | highest | MB/s |\n|---|---|---|---|---|\n')
for (const { name, samples } of tokenSamples()) {
  const errors = samples.map((sample) => estimateTokens(sample) / countTokens(sample) - 1)
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length
  const cells = [mean, Math.min(...errors), Math.max(...errors)].map(percent)
  process.stdout.write(`| ${[name, ...cells, megabytesPerSecond(samples).toFixed(0)].join(' | ')} |\n`)
}
