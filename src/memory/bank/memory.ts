/** What was learned from a task, in the words of whoever learned it. Kept as it was said; no model rewrites it. */

import type { MemoryScope } from '../../core/memory-scope.ts'
import type { Evidence } from './confidence.ts'

export const outcomes = ['success', 'failure'] as const
export type MemoryOutcome = (typeof outcomes)[number]

export interface NewMemory {
  readonly title: string
  /** One sentence: when to use it, and when not. */
  readonly description: string
  readonly content: string
  readonly outcome: MemoryOutcome
  /** The task it came from, as it was asked. */
  readonly task?: string
  readonly tags?: readonly string[]
  /** How sure the author is, 0 to 1. */
  readonly confidence?: number
  readonly scope?: Exclude<MemoryScope, 'all'>
  /** Checkpoints, branches or sessions it was distilled from. */
  readonly sources?: readonly string[]
}

export interface Memory extends Required<Omit<NewMemory, 'scope' | 'confidence'>> {
  readonly id: string
  readonly scope: Exclude<MemoryScope, 'all'>
  readonly confidence: number
  /** What the confidence comes from: the author's own, and what feedback added. */
  readonly evidence: Evidence
  readonly project: string
  readonly agent: string
  readonly session: string
  readonly branch?: string
  /** Epoch milliseconds. */
  readonly created: number
  readonly changed: number
  readonly used?: number
  /** The memory that says the same and took its place in searches. */
  readonly mergedInto?: string
}
