// node scripts/run-ts.mjs benchmarks/token-estimator.ts: accuracy of our token estimate compared with o200k, and its
// speed.
import { estimateTokens } from '../src/stages/budget/estimate.ts'
import { percent, tokenErrors } from './support/token-errors.ts'
import { noiseSamples } from './support/token-noise.ts'
import { tokenSamples } from './support/token-samples.ts'

function megabytesPerSecond(samples: readonly string[]): number {
  const bytes = samples.reduce((sum, sample) => sum + Buffer.byteLength(sample), 0)
  const rounds = Math.ceil(20_000_000 / bytes)
  const before = performance.now()
  for (let round = 0; round < rounds; round += 1) for (const sample of samples) estimateTokens(sample)
  return (bytes * rounds) / 1000 / (performance.now() - before)
}

process.stdout.write('| text | mean error | lowest | highest | MB/s |\n|---|---|---|---|---|\n')
for (const category of tokenSamples()) {
  const cells = tokenErrors(category).map(percent)
  const speed = megabytesPerSecond(category.samples).toFixed(0)
  process.stdout.write(`| ${[category.name, ...cells, speed].join(' | ')} |\n`)
}

process.stdout.write('\n| random | mean error | lowest | highest |\n|---|---|---|---|\n')
for (const category of noiseSamples()) {
  process.stdout.write(`| ${[category.name, ...tokenErrors(category).map(percent)].join(' | ')} |\n`)
}
