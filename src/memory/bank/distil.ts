/** What an agent is told before it writes down what it learned. The words are its own: no model of ours writes any. */

import type { JsonObject } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { storedNotes } from '../checkpoints/levels.ts'
import { shortened } from '../checkpoints/shorten.ts'
import { maxFromSources } from './source-limit.ts'
import type { MemorySource } from './sources.ts'

export interface BriefOptions {
  /** Memories that come from these sources already. */
  readonly kept: number
  readonly count: CountTokens
  /** What the brief may cost. */
  readonly tokens?: number
}

/** What an envelope and the quotes of JSON add. */
const slackTokens = 60

export function distilBrief(
  sources: readonly MemorySource[],
  { kept, count, tokens = 2000 }: BriefOptions,
): JsonObject {
  const ids = sources.map(({ id }) => id)
  const most = maxFromSources(ids)
  const brief = (texts: readonly string[]): JsonObject => ({
    sources: sources.map(({ id, kind }, at) => ({ id, kind, says: texts[at] ?? '' })),
    about: storedNotes,
    rules: rulesOf(sources.length, most),
    next: `Call memory_store once for each memory, with from: ${JSON.stringify(ids)}.`,
    left: Math.max(0, most - kept),
  })
  const room = tokens - slackTokens - count(JSON.stringify(brief([])))
  const texts = sources.map(({ text }) => text)
  // Quotes and line ends cost more inside JSON than they do alone.
  for (let share = room; ; share = Math.floor(share * 0.85)) {
    const fitted = fairShares(texts, share, count)
    const made = brief(fitted)
    if (share < 16 || count(JSON.stringify(made)) <= tokens - slackTokens) return made
  }
}

/** Short texts stay whole; long ones share what these leave. */
function fairShares(texts: readonly string[], room: number, count: CountTokens): string[] {
  const costs = texts.map((text) => count(text))
  const inOrder = [...costs.keys()].sort((a, b) => costs[a]! - costs[b]!)
  const fitted: string[] = []
  let left = room
  for (const [done, at] of inOrder.entries()) {
    const share = Math.floor(left / (texts.length - done))
    fitted[at] = shortened(texts[at]!, Math.max(0, share), count, 'the rest is left out')
    left -= Math.min(costs[at]!, share)
  }
  return fitted
}

function rulesOf(sources: number, most: number): string[] {
  const isContrast = sources > 1
  return [
    `At most ${most} memories, each about something else; none is better than a weak one.`,
    isContrast
      ? 'Several attempts: compare them; say what made the difference between those that worked and those that did not.'
      : 'What worked is outcome success; what failed, and how to see it coming, is outcome failure. Keep them apart.',
    'Title: the lesson in a few words. Description: one sentence, when to use it and when NOT.',
    'Content: 1 to 3 sentences in your own words, that hold for other tasks too: no names, paths, numbers or values of this one.',
    'Task: what was asked for, in one sentence.',
  ]
}
