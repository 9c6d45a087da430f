/**
 * Instructions for an agent before it writes down what it learned. The agent writes the text itself: no model of
 * contextd does.
 */

import type { JsonObject } from '@contextd/shared/json/value'
import type { CountTokens } from '../../core/ports.ts'
import { storedNotes } from '../checkpoints/levels.ts'
import { shortened } from '../checkpoints/shorten.ts'
import { maxFromSources } from './source-limit.ts'
import type { MemorySource } from './sources.ts'

export interface BriefOptions {
  /** Memories already stored from these sources. */
  readonly stored: number
  readonly count: CountTokens
  /** Token limit of the brief. */
  readonly tokens?: number
}

/** Overhead of the envelope and JSON quoting. */
const slackTokens = 60

export function distilBrief(
  sources: readonly MemorySource[],
  { stored, count, tokens = 2000 }: BriefOptions,
): JsonObject {
  const ids = sources.map(({ id }) => id)
  const maxMemories = maxFromSources(ids)
  const brief = (texts: readonly string[]): JsonObject => ({
    sources: sources.map(({ id, kind }, at) => ({ id, kind, says: texts[at] ?? '' })),
    about: storedNotes,
    rules: rulesOf(sources.length, maxMemories),
    next: `Call memory_store once for each memory, with from: ${JSON.stringify(ids)}.`,
    left: Math.max(0, maxMemories - stored),
  })
  const room = tokens - slackTokens - count(JSON.stringify(brief([])))
  const texts = sources.map(({ text }) => text)
  // Quotes and line ends cost more inside JSON than in plain text.
  for (let share = room; ; share = Math.floor(share * 0.85)) {
    const fitted = fairShares(texts, share, count)
    const made = brief(fitted)
    if (share < 16 || count(JSON.stringify(made)) <= tokens - slackTokens) return made
  }
}

/** Short texts stay complete; long ones share the remaining tokens. */
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

function rulesOf(sources: number, maxMemories: number): string[] {
  const isContrast = sources > 1
  return [
    `At most ${maxMemories} memories, each about a different lesson; no memory is better than a weak one.`,
    isContrast
      ? 'Several attempts: compare them; say what made the difference between those that worked and those that did not.'
      : 'What worked is outcome success; what failed, and how to see it coming, is outcome failure. Keep them apart.',
    'Title: the lesson in a few words. Description: one sentence, when to use it and when NOT.',
    'Content: 1 to 3 sentences in your own words, that hold for other tasks too: no names, paths, numbers or values of this one.',
    'Task: what was asked for, in one sentence.',
  ]
}
