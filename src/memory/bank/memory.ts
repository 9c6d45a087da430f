/** A lesson from a task, in the words of its author. Stored verbatim; no model rewrites it. */

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
  /** The task it came from, as it was given. */
  readonly task?: string
  readonly tags?: readonly string[]
  /** The author's confidence, 0 to 1. */
  readonly confidence?: number
  readonly scope?: Exclude<MemoryScope, 'all'>
  /** Checkpoints, branches or sessions it was distilled from. */
  readonly sources?: readonly string[]
}

export interface Memory extends Required<Omit<NewMemory, 'scope' | 'confidence'>> {
  readonly id: string
  readonly scope: Exclude<MemoryScope, 'all'>
  readonly confidence: number
  /** The basis of its confidence: the author's own, plus feedback. */
  readonly evidence: Evidence
  readonly project: string
  readonly agent: string
  readonly session: string
  readonly branch?: string
  /** Epoch milliseconds. */
  readonly created: number
  readonly changed: number
  readonly used?: number
  /** The equivalent memory that replaces it in searches. */
  readonly mergedInto?: string
}
