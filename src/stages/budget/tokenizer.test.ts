import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'

import { tokenSamples } from '../../../benchmarks/support/token-samples.ts'
import { estimateTokens } from './estimate.ts'
import { loadTokenizer } from './tokenizer.ts'

test('the estimator needs no package', async () => {
  const count = await loadTokenizer('estimate', () => Promise.reject(new Error('nothing must be imported')))
  expect(count).toBe(estimateTokens)
})

test("o200k returns the package's count, or slightly more", async () => {
  const count = await loadTokenizer('o200k')
  expect(count('')).toBe(0)
  for (const { name, samples } of tokenSamples()) {
    const [sample = ''] = samples
    const exact = countTokens(sample)
    expect(count(sample), name).toBeGreaterThanOrEqual(exact)
    expect(count(sample), name).toBeLessThanOrEqual(exact * 1.01)
  }
})

test("a model's control tokens are ordinary text", async () => {
  const count = await loadTokenizer('o200k')
  expect(count('<|endoftext|>')).toBeGreaterThan(3)
})

test('a word as long as the text is counted in pieces', async () => {
  const lengths: number[] = []
  const count = await loadTokenizer('o200k', async () => ({
    countTokens: (text) => lengths.push(text.length) && 1,
  }))
  expect(count('😀'.repeat(50_000))).toBe(lengths.length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(512)
  expect(lengths.every((length) => length % 2 === 0)).toBe(true)
})

test('a missing package is reported', async () => {
  const loading = loadTokenizer('o200k', () => Promise.reject(new Error('Cannot find package')))
  await expect(loading).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    details: { hint: expect.stringContaining('npm install gpt-tokenizer') },
  })
})
