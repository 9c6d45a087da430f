import { expect, it } from 'vitest'

import { anthropicUsage } from '../anthropic/usage.ts'
import { geminiUsage } from '../gemini/rewriter.ts'
import { openaiUsage } from '../openai/usage.ts'
import { createUsageReader } from './usage-reader.ts'

const most = 1_000_000_000

it.each([
  [12, 12],
  [0.5, 1],
  [-1000, 0],
  [Number.NaN, 0],
  [1e308, most],
  [Number.POSITIVE_INFINITY, most],
  [Number.MAX_SAFE_INTEGER + 1, most],
  ['5', 0],
  [null, 0],
])('counts %j tokens of a provider as %i', (reported, tokens) => {
  const anthropic = createUsageReader(anthropicUsage)
  anthropic.read({ usage: { input_tokens: 0, output_tokens: reported } })
  const openai = createUsageReader(openaiUsage)
  openai.read({ usage: { completion_tokens: reported } })
  const gemini = createUsageReader(geminiUsage, undefined)
  gemini.read({ usageMetadata: { candidatesTokenCount: reported } })
  const read = [anthropic, openai, gemini].map((reader) => reader.report().usage?.output)
  expect(read).toEqual([tokens, tokens, tokens])
})

it('never reduces the sum by a reported number', () => {
  const openai = createUsageReader(openaiUsage)
  openai.read({ usage: { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: -90 } } })
  expect(openai.report().usage).toMatchObject({ input: 10, cacheRead: 0 })
  const gemini = createUsageReader(geminiUsage, undefined)
  gemini.read({ usageMetadata: { promptTokenCount: 10, toolUsePromptTokenCount: -9 } })
  expect(gemini.report().usage?.input).toBe(10)
})

it('truncates a model name', () => {
  const model = 'm'.repeat(100_000)
  const anthropic = createUsageReader(anthropicUsage)
  anthropic.read({ model })
  const openai = createUsageReader(openaiUsage)
  openai.read({ model })
  const gemini = createUsageReader(geminiUsage, 'asked')
  gemini.read({ modelVersion: model })
  for (const reader of [anthropic, openai, gemini]) expect(reader.report().model).toBe('m'.repeat(256))
})
