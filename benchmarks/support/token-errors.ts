import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

import { estimateTokens } from '../../src/stages/budget/estimate.ts'
import type { SampleCategory } from './token-samples.ts'

/** Deviation of the estimate from o200k over the samples of one kind: mean, lowest, highest. */
export function tokenErrors({ samples }: SampleCategory): [mean: number, lowest: number, highest: number] {
  const errors = samples.map((sample) => estimateTokens(sample) / countTokens(sample) - 1)
  return [
    errors.reduce((sum, error) => sum + error, 0) / errors.length,
    Math.min(...errors),
    Math.max(...errors),
  ]
}

/** `+17.7 %` */
export function percent(share: number): string {
  return `${share < 0 ? '−' : '+'}${Math.abs(share * 100).toFixed(1)} %`
}
